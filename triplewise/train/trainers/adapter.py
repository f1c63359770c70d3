"""Training of an adapter (LoRA), or of all parameters, on the CPU or a GPU (paper 2, equations 4 and 5).

The loss is that of the wanted tokens only. The model runs in bfloat16; what is trained is kept in float32
beside, where the optimiser changes it. Logits are computed for the wanted tokens only. A checkpoint holds
weights, optimiser, and how far training came; a killed run goes on from it.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from triplewise.errors import ConfigError, MissingExtraError
from triplewise.train.trainers.bases import Base, Encoded
from triplewise.train.trainers.gguf_llama import write_adapter

_LLAMA_LIKE = ("llama", "mistral", "qwen2", "qwen3", "smollm3")
"""Architectures whose logits are the head's output on the last hidden states, nothing more."""
_TOKENIZER_SAMPLES = (
    "<|im_start|>user\nWho directed Amélie?\n\n  1999  x<|im_end|>\n", "Alien:\n  release year: \"1979\"\n  - it's",
    "1. Find the films  that 日本 🚀 made in 2024-05-06.", "a_b/c.d camelCase ; ?answer | \t(x, y, z)",
)  # fmt: skip
"""Texts on which a converted tokenizer must agree with the base's."""


PIECE = 1536
"""Tokens that are computed at a time."""


@dataclass(frozen=True, slots=True)
class AdapterSettings:
    """LoRA and optimiser settings; ``minutes`` of training end it early (0: no limit), ``every``: steps between
    checkpoints with a development score, ``threads``: of the CPU (0: torch's own choice), ``full``: all parameters
    instead of LoRA. ``base``, ``data``, ``stages``: what it is trained on, so that a checkpoint of another training
    is not gone on with."""

    rank: int = 16
    alpha: float = 32.0
    steps: int = 400
    batch: int = 16
    lr: float = 1e-3
    warmup: int = 10
    minutes: float = 0.0
    seed: int = 0
    every: int = 100
    threads: int = 0
    full: bool = False
    base: str = ""
    data: str = ""
    stages: str = ""


class AdapterTraining:
    """One training: the model with its adapter, the optimiser and how far it came.

    Raises ConfigError where a checkpoint lies at ``out`` that was made with other settings.
    """

    def __init__(self, base: Base, out: Path, settings: AdapterSettings, device: str = "auto") -> None:
        try:
            import peft  # noqa: F401
            import torch
        except ImportError:
            raise MissingExtraError("training", "train") from None
        if settings.threads:
            torch.set_num_threads(settings.threads)
        self.base, self.out, self.settings = base, out, settings
        self.device = _device(device)
        loaded = base.load().to(device=self.device, dtype=torch.bfloat16)
        torch.manual_seed(settings.seed)  # after loading, which draws random numbers the first time
        self.model = self._adapted(loaded)
        self.low = {n: p for n, p in self.model.named_parameters() if p.requires_grad}
        self.high = {n: p.detach().float().clone().requires_grad_() for n, p in self.low.items()}
        self.optimizer = torch.optim.AdamW(list(self.high.values()), lr=settings.lr, weight_decay=0.0)
        self.step, self.tokens, self.seconds = 0, 0, 0.0
        self.losses: list[float] = []
        self.history: list[dict[str, Any]] = []
        if self.checkpoint.exists():
            self._restore()

    @property
    def checkpoint(self) -> Path:
        """Where the state is kept: one safetensors file, what is not a tensor as JSON in its header."""
        return checkpoint_path(self.out)

    def _adapted(self, model: Any) -> Any:
        """The model with its adapter; alone where all of it is trained."""
        from peft import LoraConfig, get_peft_model

        if self.settings.full:
            return model
        lora = LoraConfig(
            r=self.settings.rank, lora_alpha=int(self.settings.alpha), target_modules="all-linear", lora_dropout=0.0
        )
        with warnings.catch_warnings():  # peft asks transformers for an attribute by its old name
            warnings.simplefilter("ignore", FutureWarning)
            return get_peft_model(model, lora, autocast_adapter_dtype=False)

    @property
    def _language_model(self) -> Any:
        return self.model if self.settings.full else self.model.base_model.model

    def loss(self, batch: Sequence[Encoded]) -> Any:
        """The mean loss of the wanted tokens."""
        import torch

        logits, wanted = self._logits(batch)
        return torch.nn.functional.cross_entropy(logits.float(), wanted)

    def _logits(self, batch: Sequence[Encoded]) -> tuple[Any, Any]:
        """Logits [reply tokens of all, vocabulary] and the tokens wanted there, row after row."""
        import torch

        width = max(len(p) + len(r) for p, r in batch)
        ids, mask = (torch.zeros(len(batch), width, dtype=torch.long) for _ in range(2))
        labels = torch.full((len(batch), width), -100)
        for i, (prompt, reply) in enumerate(batch):
            size = len(prompt) + len(reply)
            ids[i, :size] = torch.tensor(prompt + reply)
            mask[i, :size] = 1
            labels[i, len(prompt) - 1 : size - 1] = torch.tensor(reply)
        model, labels = self._language_model, labels.to(self.device)
        inputs = {"input_ids": ids.to(self.device), "attention_mask": mask.to(self.device), "use_cache": False}
        at = labels >= 0
        if model.config.model_type in _LLAMA_LIKE:
            return model.lm_head(model.model(**inputs).last_hidden_state[at]), labels[at]
        return model(**inputs).logits[at], labels[at]

    def learn(self, batch: Sequence[Encoded], rate: float) -> float:
        """One step of the optimiser; returns the loss."""
        import torch

        started = time.perf_counter()
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        total, mean = sum(len(reply) for _, reply in batch), 0.0
        for piece in _pieces(batch):  # the activations of a whole step would take gigabytes
            loss = self.loss(piece) * (sum(len(reply) for _, reply in piece) / total)
            loss.backward()
            mean += float(loss.detach())
        for name, parameter in self.low.items():
            self.high[name].grad = None if parameter.grad is None else parameter.grad.float()
            parameter.grad = None
        torch.nn.utils.clip_grad_norm_(list(self.high.values()), 1.0)
        self.optimizer.step()
        self._lower()
        self.step += 1
        self.tokens += sum(len(p) + len(r) for p, r in batch)
        self.losses = [*self.losses[-49:], mean]
        self.seconds += time.perf_counter() - started
        return self.losses[-1]

    def _lower(self) -> None:
        import torch

        with torch.no_grad():
            for name, parameter in self.low.items():
                parameter.copy_(self.high[name])

    def exact(self, examples: Sequence[Encoded]) -> list[bool]:
        """Whether the greedy reply to each is the wanted one: at every place the likeliest token is the wanted one."""
        import torch

        found = [False] * len(examples)
        order = sorted(range(len(examples)), key=lambda i: len(examples[i][0]) + len(examples[i][1]))
        with torch.no_grad():
            for start in range(0, len(order), 16):
                places = order[start : start + 16]
                logits, wanted = self._logits([examples[i] for i in places])
                right = (logits.argmax(-1) == wanted).tolist()
                for i in places:
                    size = len(examples[i][1])
                    found[i], right = all(right[:size]), right[size:]
        return found

    def save(self) -> None:
        """Write the checkpoint, in one step, and the adapter as it stands."""
        from safetensors.torch import save_file

        state: dict[str, Any] = {f"adapter.{n}": p.detach() for n, p in self.high.items()}
        for name, parameter in self.high.items():
            moments = self.optimizer.state.get(parameter, {})
            for key in ("exp_avg", "exp_avg_sq"):
                if key in moments:
                    state[f"{key}.{name}"] = moments[key]
        part = self.checkpoint.with_suffix(".part")
        save_file({k: v.contiguous().cpu() for k, v in state.items()}, part, {"state": json.dumps(self.progress())})
        part.replace(self.checkpoint)
        if self.out.suffix == ".gguf":
            self.export()

    def export(self) -> bool:
        """Write what was trained to ``out``: a GGUF adapter, a peft adapter's folder, or a model's folder.

        False where a model's folder has no tokenizer, since none gives the base's tokens.
        """
        import torch

        weights = {name: tensor.detach() for name, tensor in self.high.items()}
        if self.out.suffix == ".gguf":
            write_adapter(self.model, self.out, alpha=self.settings.alpha, name="triplewise adapter", weights=weights)
            return True
        if self.settings.full:
            self.model.save_pretrained(str(self.out))
            return self.base.save_tokenizer(self.out, _TOKENIZER_SAMPLES)
        with torch.no_grad():
            for name, parameter in self.low.items():
                parameter.data = self.high[name].detach().clone()
        self.model.save_pretrained(str(self.out))
        self.model.to(dtype=torch.bfloat16)
        return True

    def exact_model(self) -> Any:
        """The base in float32 with what was trained, in float32 too: what the export must agree with."""
        import torch

        model = self._adapted(self.base.load())
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                if name in self.high:
                    parameter.copy_(self.high[name].cpu())
        return model.eval()

    def progress(self) -> dict[str, Any]:
        """What was done so far, as JSON values."""
        recent = self.losses[-20:]
        return {
            "settings": asdict(self.settings), "steps": self.step, "tokens": self.tokens,
            "seconds": round(self.seconds, 1), "loss": sum(recent) / max(1, len(recent)), "history": self.history,
            "losses": self.losses,
        }  # fmt: skip

    def _restore(self) -> None:
        import torch
        from safetensors import safe_open

        with safe_open(self.checkpoint, "pt") as file:
            done = json.loads(file.metadata()["state"])
            now, free = asdict(self.settings), {"steps", "minutes", "every", "threads"}
            before = done["settings"]
            other = sorted(k for k in now.keys() & before.keys() if k not in free and before[k] != now[k])
            if other:
                raise ConfigError(
                    f"{self.checkpoint} was made with other settings: {', '.join(other)}.", "Remove it to start anew."
                )
            with torch.no_grad():
                for name, parameter in self.high.items():
                    parameter.copy_(file.get_tensor(f"adapter.{name}"))
                    self.optimizer.state[parameter] = {
                        "step": torch.tensor(float(done["steps"])),
                        **{k: file.get_tensor(f"{k}.{name}").to(self.device) for k in ("exp_avg", "exp_avg_sq")},
                    }
        self._lower()
        self.step, self.tokens, self.seconds = done["steps"], done["tokens"], done["seconds"]
        self.losses, self.history = done["losses"], done["history"]


def _pieces(batch: Sequence[Encoded]) -> Iterator[Sequence[Encoded]]:
    """A batch in pieces of at most ``PIECE`` tokens with padding, or of one example."""
    start = 0
    for end in range(1, len(batch) + 1):
        width = max((len(p) + len(r) for p, r in batch[start : end + 1]), default=0)
        if end == len(batch) or width * (end + 1 - start) > PIECE:
            yield batch[start:end]
            start = end


def checkpoint_path(out: Path) -> Path:
    """Where the training for ``out`` keeps its state."""
    return out.with_name(f"{out.name.removesuffix('.gguf')}.checkpoint.safetensors")


def _device(name: str) -> str:
    import torch

    if name not in ("auto", "cpu", "cuda"):
        raise ConfigError(f"no device {name!r}.", "Known: auto, cpu, cuda.")
    cuda = torch.cuda.is_available()
    if name == "cuda" and not cuda:
        raise ConfigError("there is no CUDA device, or this torch cannot use it.", "Give --device cpu.")
    return "cuda" if cuda and name != "cpu" else "cpu"
