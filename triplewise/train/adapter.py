"""LoRA training of a llama GGUF on the nodes' skills, on the CPU or a GPU (paper 2, equation 4).

The loss is that of the reply's tokens only. The base is frozen in bfloat16, the adapter float32.
Sequences are padded on the left, so that only the last positions' logits are computed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from triplewise.train.gguf_llama import load_llama, write_adapter
from triplewise.train.skills import Example


@dataclass(frozen=True, slots=True)
class AdapterSettings:
    """LoRA and optimiser settings; ``minutes`` ends training early, 0 for no limit."""

    rank: int = 16
    alpha: float = 32.0
    steps: int = 400
    batch: int = 16
    lr: float = 1e-3
    warmup: int = 10
    minutes: float = 0.0
    seed: int = 0


def train_adapter(
    weights: Path,
    examples: Iterator[Example],
    encode: Callable[[Example], tuple[list[int], list[int]]],
    out: Path,
    settings: AdapterSettings,
    report: Callable[[int, float, float], None] | None = None,
) -> dict[str, Any]:
    """Train on ``examples`` and write the adapter to ``out``; returns what was done.

    ``encode`` gives (prompt tokens, reply tokens with the end mark), exactly as at run time. ``report``
    gets (step, loss, tokens a second).
    """
    import torch
    from peft import LoraConfig, get_peft_model

    torch.manual_seed(settings.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    base: Any = load_llama(weights)
    base = base.to(device=device, dtype=torch.bfloat16)
    lora = LoraConfig(r=settings.rank, lora_alpha=int(settings.alpha), target_modules="all-linear", lora_dropout=0.0)
    model = get_peft_model(base, lora, autocast_adapter_dtype=True)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=settings.lr, weight_decay=0.0)
    started, tokens, losses = time.perf_counter(), 0, list[float]()
    pool = _batches(examples, encode, settings)
    progress = 0.0
    for step in range(settings.steps):
        elapsed = time.perf_counter() - started
        progress = step / settings.steps
        if settings.minutes:
            progress = max(progress, elapsed / (settings.minutes * 60))
        if progress >= 1:
            break
        rate = settings.lr * min(1.0, (step + 1) / settings.warmup) * max(0.02, 1 - progress)
        for group in optimizer.param_groups:
            group["lr"] = rate
        batch = next(pool)
        loss = _loss(model, batch, device)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        tokens += sum(len(p) + len(r) for p, r in batch)
        losses.append(float(loss.detach()))
        if report and (step % 10 == 0 or step == settings.steps - 1):
            recent = losses[-10:]
            report(step + 1, sum(recent) / len(recent), tokens / (time.perf_counter() - started))
    write_adapter(model, out, alpha=settings.alpha, name="triplewise embedded adapter")
    return {
        "settings": asdict(settings),
        "steps": len(losses),
        "tokens": tokens,
        "seconds": round(time.perf_counter() - started, 1),
        "loss": sum(losses[-20:]) / max(1, len(losses[-20:])),
    }


def _batches(
    examples: Iterator[Example], encode: Callable[[Example], tuple[list[int], list[int]]], settings: AdapterSettings
) -> Iterator[list[tuple[list[int], list[int]]]]:
    """Batches of like lengths: a pool is sorted, cut and shuffled, so that little is padding."""
    rng = random.Random(settings.seed)
    while True:
        pool = sorted(
            (encode(e) for e in islice(examples, settings.batch * 16)), key=lambda pair: len(pair[0]) + len(pair[1])
        )
        batches = [pool[i : i + settings.batch] for i in range(0, len(pool), settings.batch)]
        rng.shuffle(batches)
        yield from batches


def _loss(model: Any, batch: Sequence[tuple[list[int], list[int]]], device: str) -> Any:
    import torch

    width = max(len(p) + len(r) for p, r in batch)
    keep = max(len(r) for _, r in batch) + 1
    ids = torch.zeros(len(batch), width, dtype=torch.long)
    mask = torch.zeros(len(batch), width, dtype=torch.long)
    labels = torch.full((len(batch), keep), -100)
    for i, (prompt, reply) in enumerate(batch):
        row = prompt + reply
        ids[i, width - len(row) :] = torch.tensor(row)
        mask[i, width - len(row) :] = 1
        labels[i, keep - len(reply) :] = torch.tensor(reply)
    positions = (mask.cumsum(-1) - 1).clamp(min=0)
    with torch.autocast(device_type=device, dtype=torch.bfloat16):
        logits = model(
            input_ids=ids.to(device),
            attention_mask=mask.to(device),
            position_ids=positions.to(device),
            logits_to_keep=keep,
            use_cache=False,
        ).logits
    predicted, wanted = logits[:, :-1].float(), labels[:, 1:].to(device)
    return torch.nn.functional.cross_entropy(
        predicted.reshape(-1, predicted.shape[-1]), wanted.reshape(-1), ignore_index=-100
    )
