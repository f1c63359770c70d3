"""Whether an exported adapter does in llama.cpp what was trained in transformers: equal greedy replies.

llama.cpp decodes each prompt greedily, and transformers, in float32 on the dequantised weights, reads prompt and
reply in one pass. Where its likeliest token is the reply's at every place, the end-of-sequence token included, its own
greedy reply is the same one. Where not, ``margin`` says by how many logits it prefers another token: llama.cpp rounds
activations to 8 bits where weights are quantised, so that near ties fall differently. On a GGUF of the same
weights in float32 it does not, and the replies must be equal.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from triplewise.backends.llama.llama_engine import Engine
from triplewise.train.trainers.adapter import AdapterTraining
from triplewise.train.trainers.bases import GgufBase
from triplewise.train.trainers.gguf_llama import write_float32

LONGEST = 96
"""Tokens of a reply that are compared."""
NEAR = 1.0
"""Logits; a smaller margin is a near tie."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of ``prompts``, how many replies are ``equal``, and how many differ first at a near tie; ``margins``: of all
    first differences, the largest first; ``tokens``: places compared, ``equal_tokens`` of them alike."""

    prompts: int
    equal: int
    near_ties: int
    tokens: int
    equal_tokens: int
    margins: tuple[float, ...]

    @property
    def share(self) -> float:
        """Equal replies of all."""
        return self.equal / max(1, self.prompts)

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {**asdict(self), "share": round(self.share, 4), "margins": [round(m, 3) for m in self.margins]}


def check_export(
    training: AdapterTraining, base: GgufBase, prompts: Sequence[Sequence[int]], *, float32: bool = False
) -> dict[str, Any]:
    """The exported adapter in llama.cpp on its base, or on the base in float32, against the trained weights."""
    if not prompts:
        return {"prompts": 0}
    context = max(map(len, prompts)) + LONGEST + 1
    layers = -1 if training.device == "cuda" else 0
    with tempfile.TemporaryDirectory() as folder:
        weights = write_float32(base.path, Path(folder) / "float32.gguf") if float32 else base.path
        engine = Engine(weights, training.out, context, training.settings.threads or None, layers)
        try:
            return compare(training.exact_model().to(training.device), engine, prompts).to_json()
        finally:
            engine.close()


def compare(model: Any, engine: Engine, prompts: Sequence[Sequence[int]]) -> Agreement:
    """Compare a transformers model in float32 with an engine that has the adapter, on prompts as tokens."""
    import torch

    equal = tokens = equal_tokens = 0
    margins: list[float] = []
    device = next(model.parameters()).device
    for prompt in prompts:
        reply = greedy(engine, prompt)
        with torch.no_grad():
            ids = torch.tensor([[*prompt, *reply]], device=device)
            logits = model(input_ids=ids, use_cache=False, logits_to_keep=len(reply) + 1).logits[0, :-1].float()
        wanted = torch.tensor(reply, device=device)
        margin = logits.max(-1).values - logits.gather(1, wanted[:, None])[:, 0]
        different = margin.gt(0).nonzero()
        tokens += len(reply)
        equal_tokens += len(reply) - len(different)
        if len(different):
            margins.append(float(margin[different[0, 0]]))
        else:
            equal += 1
    near = sum(m < NEAR for m in margins)
    return Agreement(len(prompts), equal, near, tokens, equal_tokens, tuple(sorted(margins, reverse=True)))


def greedy(engine: Engine, prompt: Sequence[int], longest: int = LONGEST) -> list[int]:
    """llama.cpp's greedy reply as tokens, with the end-of-sequence token where it set one."""
    reply: list[int] = []
    with engine.lock:
        vocabulary = engine.llm._model.vocab
        for token in engine.llm.generate(list(prompt), temp=0.0, top_k=0, top_p=1.0, min_p=0.0):
            reply.append(token)
            if engine.capi.llama_vocab_is_eog(vocabulary, token) or len(reply) >= longest:
                break
            if len(prompt) + len(reply) >= engine.n_ctx:
                break
    return reply
