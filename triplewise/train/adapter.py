"""LoRA training of a llama GGUF on prompts and replies, on the CPU or a GPU (paper 2, equation 4).

The loss is that of the reply's tokens only. Base and adapter run in bfloat16; the adapter's weights are kept
in float32 beside, where the optimiser changes them. Logits are computed for the reply's tokens only. A
checkpoint holds weights, optimiser, and how far training came; a killed run goes on from it.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from triplewise.errors import ConfigError
from triplewise.train.gguf_llama import load_llama, write_adapter
from triplewise.train.skills import Example

Encoded = tuple[list[int], list[int]]
"""Prompt tokens, reply tokens with the end mark."""

POOL = 16
"""Batches that are drawn and sorted by length at a time."""


@dataclass(frozen=True, slots=True)
class AdapterSettings:
    """LoRA and optimiser settings; ``minutes`` of training end it early (0: no limit), ``every``: steps between
    checkpoints with a development score, ``threads``: of the CPU (0: torch's own choice)."""

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


class AdapterTraining:
    """One training: the model with its adapter, the optimiser and how far it came.

    Raises ConfigError where a checkpoint lies at ``out`` that was made with other settings.
    """

    def __init__(self, weights: Path, out: Path, settings: AdapterSettings) -> None:
        import torch
        from peft import LoraConfig, get_peft_model

        if settings.threads:
            torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        self.out, self.settings = out, settings
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        base: Any = load_llama(weights)
        base = base.to(device=self.device, dtype=torch.bfloat16)
        lora = LoraConfig(
            r=settings.rank, lora_alpha=int(settings.alpha), target_modules="all-linear", lora_dropout=0.0
        )
        self.model = get_peft_model(base, lora, autocast_adapter_dtype=False)
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
        return self.out.with_suffix(".checkpoint.safetensors")

    def loss(self, batch: Sequence[Encoded]) -> Any:
        """The mean loss of the replies' tokens."""
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
        llama: Any = self.model.base_model.model
        hidden = llama.model(
            input_ids=ids.to(self.device), attention_mask=mask.to(self.device), use_cache=False
        ).last_hidden_state
        labels = labels.to(self.device)
        at = labels >= 0
        return llama.lm_head(hidden[at]), labels[at]

    def learn(self, batch: Sequence[Encoded], rate: float) -> float:
        """One step of the optimiser; returns the loss."""
        import torch

        started = time.perf_counter()
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss = self.loss(batch)
        loss.backward()
        for name, parameter in self.low.items():
            self.high[name].grad = None if parameter.grad is None else parameter.grad.float()
            parameter.grad = None
        torch.nn.utils.clip_grad_norm_(list(self.high.values()), 1.0)
        self.optimizer.step()
        self._lower()
        self.step += 1
        self.tokens += sum(len(p) + len(r) for p, r in batch)
        self.losses = [*self.losses[-49:], float(loss.detach())]
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
        weights = {name: tensor.detach() for name, tensor in self.high.items()}
        write_adapter(self.model, self.out, alpha=self.settings.alpha, name="triplewise adapter", weights=weights)

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
            other = sorted(k for k in now if k not in free and done["settings"].get(k) != now[k])
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


def train_adapter(
    weights: Path,
    examples: Iterator[Example],
    encode: Callable[[Example], Encoded],
    out: Path,
    settings: AdapterSettings,
    *,
    dev: Sequence[Example] = (),
    report: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Train on ``examples`` and write the adapter to ``out``; returns what was done.

    ``encode`` gives the tokens exactly as at run time. Every ``settings.every`` steps the adapter is written
    and the exact matches on ``dev`` are reported, by skill. Where a checkpoint lies beside ``out``, training
    goes on from it: the examples that it had seen are passed over.
    """
    training = AdapterTraining(weights, out, settings)
    checked = [(example.skill, encode(example)) for example in dev]
    if training.step:
        report(f"goes on after step {training.step} ({training.seconds / 60:.1f} minutes)")
    batches = _batches(examples, encode, settings, training.step)
    while (progress := _progress(training)) < 1:
        warm = min(1.0, (training.step + 1) / settings.warmup)
        training.learn(next(batches), settings.lr * warm * max(0.02, (1 + math.cos(math.pi * progress)) / 2))
        if training.step % 10 == 0:
            recent = training.losses[-10:]
            rate = training.tokens / training.seconds
            report(f"step {training.step}  loss {sum(recent) / len(recent):.3f}  {rate:.0f} tokens/s")
        if training.step % settings.every == 0:
            _check(training, checked, report)
    if training.step % settings.every or not training.history:
        _check(training, checked, report)
    return training.progress() | {"adapter": out.name}


def _progress(training: AdapterTraining) -> float:
    """The share of the training that is done, by steps or by minutes."""
    settings = training.settings
    by_minutes = training.seconds / (settings.minutes * 60) if settings.minutes else 0.0
    return max(training.step / settings.steps, by_minutes)


def _check(training: AdapterTraining, checked: Sequence[tuple[str, Encoded]], report: Callable[[str], None]) -> None:
    by_skill: dict[str, list[bool]] = defaultdict(list)
    for (skill, _), right in zip(checked, training.exact([pair for _, pair in checked]), strict=True):
        by_skill[skill].append(right)
    scores = {skill: f"{sum(right)}/{len(right)}" for skill, right in sorted(by_skill.items())}
    training.history.append({"step": training.step, **scores})
    training.save()
    report(f"step {training.step}  exact: {'  '.join(f'{k} {v}' for k, v in scores.items())}")


def _batches(
    examples: Iterator[Example], encode: Callable[[Example], Encoded], settings: AdapterSettings, seen: int
) -> Iterator[list[Encoded]]:
    """Batches of like lengths: a pool is sorted, cut and shuffled, so that little is padding.

    ``seen`` batches are passed over.
    """
    size, number = settings.batch * POOL, seen // POOL
    next(islice(examples, number * size, number * size), None)
    skip = seen % POOL
    while True:
        pool = sorted((encode(e) for e in islice(examples, size)), key=lambda pair: len(pair[0]) + len(pair[1]))
        batches = [pool[i : i + settings.batch] for i in range(0, len(pool), settings.batch)]
        random.Random(f"{settings.seed} {number}").shuffle(batches)
        yield from batches[skip:]
        skip, number = 0, number + 1
