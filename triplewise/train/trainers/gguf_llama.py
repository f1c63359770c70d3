"""A llama GGUF as a transformers model, and a LoRA adapter back as GGUF.

The weights are dequantised exactly; llama.cpp's rotary permutation of attn_q and attn_k is undone on
the way in and applied to the adapter's rows on the way out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triplewise.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM

_LAYER = {
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj", "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
}  # fmt: skip


def _reader(path: Path) -> Any:
    try:
        from gguf import GGUFReader
    except ImportError:
        raise MissingExtraError("training", "train") from None
    return GGUFReader(path)


def load_llama(path: Path) -> LlamaForCausalLM:
    """The model of a GGUF with the llama architecture, in float32; raises ConfigError on another one."""
    import numpy as np
    import torch
    from gguf.quants import dequantize
    from transformers import LlamaConfig, LlamaForCausalLM

    reader = _reader(path)

    def field(name: str) -> Any:
        entry = reader.fields.get(name)
        return None if entry is None else entry.contents()

    if field("general.architecture") != "llama":
        raise ConfigError(f"{path.name} has the architecture {field('general.architecture')!r}, not llama.")
    tensors = {
        t.name: torch.from_numpy(np.array(dequantize(t.data, t.tensor_type), dtype=np.float32)) for t in reader.tensors
    }
    heads, kv_heads = field("llama.attention.head_count"), field("llama.attention.head_count_kv")
    config = LlamaConfig(
        vocab_size=tensors["token_embd.weight"].shape[0],
        hidden_size=field("llama.embedding_length"),
        intermediate_size=field("llama.feed_forward_length"),
        num_hidden_layers=field("llama.block_count"),
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        max_position_embeddings=field("llama.context_length"),
        rms_norm_eps=field("llama.attention.layer_norm_rms_epsilon"),
        rope_parameters={"rope_type": "default", "rope_theta": field("llama.rope.freq_base") or 10_000.0},
        tie_word_embeddings="output.weight" not in tensors,
    )
    state = {
        "model.embed_tokens.weight": tensors["token_embd.weight"],
        "model.norm.weight": tensors["output_norm.weight"],
    }
    if "output.weight" in tensors:
        state["lm_head.weight"] = tensors["output.weight"]
    for i in range(config.num_hidden_layers):
        for name, target in _LAYER.items():
            weight = tensors[f"blk.{i}.{name}.weight"]
            if name in ("attn_q", "attn_k"):
                weight = unpermute(weight, heads if name == "attn_q" else kv_heads)
            state[f"model.layers.{i}.{target}.weight"] = weight
    model = LlamaForCausalLM(config)
    missing, unexpected = model.load_state_dict(state, strict=False)
    if unexpected or set(missing) - {"lm_head.weight"}:
        raise ConfigError(f"{path.name}: tensors missing {missing}, unknown {unexpected}.")
    model.tie_weights()
    return model


def write_float32(path: Path, out: Path) -> Path:
    """A GGUF with its weights dequantised to float32, all else the same."""
    import numpy as np
    from gguf import GGUFValueType, GGUFWriter
    from gguf.quants import dequantize

    reader = _reader(path)
    writer = GGUFWriter(out, arch=reader.fields["general.architecture"].contents())
    for name, field in reader.fields.items():
        if not name.startswith("GGUF.") and name not in ("general.architecture", "general.file_type"):
            of = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
            writer.add_key_value(name, field.contents(), field.types[0], of)
    for tensor in reader.tensors:
        weight = np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
        writer.add_tensor(tensor.name, weight.reshape([int(n) for n in reversed(tensor.shape)]))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return out


def unpermute(weight: Any, heads: int) -> Any:
    """llama.cpp's row order of attn_q/attn_k into transformers'; weight is [heads·d, …]."""
    rows = weight.shape[0]
    return weight.reshape(heads, rows // heads // 2, 2, -1).swapaxes(1, 2).reshape(weight.shape)


def permute(weight: Any, heads: int) -> Any:
    """The inverse of ``unpermute``."""
    rows = weight.shape[0]
    return weight.reshape(heads, 2, rows // heads // 2, -1).swapaxes(1, 2).reshape(weight.shape)


def write_adapter(model: Any, path: Path, *, alpha: float, name: str, weights: Mapping[str, Any] | None = None) -> None:
    """The LoRA weights of a peft model as a float16 GGUF adapter that ``Llama(lora_path=…)`` loads.

    ``weights``: other values of these parameters than the model's, by name.
    """
    import numpy as np
    from gguf import GGUFWriter

    config = model.config
    writer = GGUFWriter(path.with_suffix(".part"), arch="llama")
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_string("general.name", name)
    writer.add_float32("adapter.lora.alpha", alpha)
    targets = {v: k for k, v in _LAYER.items()}
    for key, tensor in (weights or model.state_dict()).items():
        if ".lora_A." not in key and ".lora_B." not in key:
            continue
        stem = key.split("model.layers.")[1]
        layer, _, rest = stem.partition(".")
        module, _, side = rest.partition(".lora_")
        gguf_name = targets[module]
        weight = tensor.detach().float().cpu()
        if side.startswith("B") and gguf_name in ("attn_q", "attn_k"):
            heads = config.num_attention_heads if gguf_name == "attn_q" else config.num_key_value_heads
            weight = permute(weight, heads)
        half = weight.numpy().astype(np.float16)
        writer.add_tensor(f"blk.{layer}.{gguf_name}.weight.lora_{side[0].lower()}", half)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    path.with_suffix(".part").replace(path)
