"""A llama GGUF of a few megabytes with random weights in float32 and the embedded model's vocabulary."""

from __future__ import annotations

from pathlib import Path

HIDDEN, LAYERS, HEADS, KV_HEADS, WIDE = 64, 2, 4, 2, 96


def write_tiny_llama(path: Path, seed: int = 0) -> Path:
    """Write the model; the same seed gives the same weights."""
    import numpy as np
    from gguf import GGUFReader, GGUFWriter

    from triplewise.backends.llama.llama_engine import embedded_weights

    source = GGUFReader(embedded_weights())

    def field(name: str):
        return source.fields[name].contents()

    tokens = field("tokenizer.ggml.tokens")
    writer = GGUFWriter(path, arch="llama")
    writer.add_context_length(2048)
    writer.add_embedding_length(HIDDEN)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(WIDE)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10_000.0)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model(field("tokenizer.ggml.model"))
    writer.add_tokenizer_pre(field("tokenizer.ggml.pre"))
    writer.add_token_list(tokens)
    writer.add_token_types(field("tokenizer.ggml.token_type"))
    writer.add_token_merges(field("tokenizer.ggml.merges"))
    writer.add_bos_token_id(field("tokenizer.ggml.bos_token_id"))
    writer.add_eos_token_id(field("tokenizer.ggml.eos_token_id"))
    writer.add_add_bos_token(False)
    writer.add_chat_template(field("tokenizer.chat_template"))
    rng = np.random.default_rng(seed)

    def tensor(name: str, *shape: int) -> None:
        weight = np.ones(shape) if len(shape) == 1 else rng.normal(0, 0.3 / shape[-1] ** 0.5 * 3, shape)
        writer.add_tensor(name, weight.astype(np.float32))

    tensor("token_embd.weight", len(tokens), HIDDEN)
    tensor("output_norm.weight", HIDDEN)
    side = HIDDEN // HEADS * KV_HEADS
    for i in range(LAYERS):
        tensor(f"blk.{i}.attn_norm.weight", HIDDEN)
        tensor(f"blk.{i}.ffn_norm.weight", HIDDEN)
        tensor(f"blk.{i}.attn_q.weight", HIDDEN, HIDDEN)
        tensor(f"blk.{i}.attn_k.weight", side, HIDDEN)
        tensor(f"blk.{i}.attn_v.weight", side, HIDDEN)
        tensor(f"blk.{i}.attn_output.weight", HIDDEN, HIDDEN)
        tensor(f"blk.{i}.ffn_gate.weight", WIDE, HIDDEN)
        tensor(f"blk.{i}.ffn_up.weight", WIDE, HIDDEN)
        tensor(f"blk.{i}.ffn_down.weight", HIDDEN, WIDE)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
