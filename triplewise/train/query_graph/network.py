"""The ranker's network in torch: MiniLM's encoder with one score on top, and its file for ``MiniBert``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from triplewise.backends.mini_bert import MAX_TOKENS, MiniBert, WordPiece

_PARTS = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "out",
    "attention.output.LayerNorm": "out.norm",
    "intermediate.dense": "up",
    "output.dense": "down",
    "output.LayerNorm": "down.norm",
}
"""Hugging Face's names of a layer's parts → ours."""


class RankerNetwork(nn.Module):
    """MiniLM with a score: ``embed`` gives [texts × 384] unit vectors, ``score`` [pairs] logits."""

    def __init__(self, folder: Path) -> None:
        from transformers import BertConfig, BertModel

        super().__init__()
        config = BertConfig.from_pretrained(folder, hidden_act="gelu_pytorch_tanh", attn_implementation="sdpa")
        self.encoder = BertModel.from_pretrained(folder, config=config, add_pooling_layer=False)
        self.head = nn.Linear(config.hidden_size, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        self.vocabulary = vocabulary
        self.tokenise = WordPiece(vocabulary)
        for name, parameter in self.encoder.named_parameters():
            parameter.requires_grad = not name.startswith("embeddings.word")

    def _run(self, tokens: list[list[int]], seconds: list[int]) -> tuple[Tensor, Tensor]:
        width = max(map(len, tokens))
        ids = torch.zeros(len(tokens), width, dtype=torch.long)
        mask = torch.zeros(len(tokens), width, dtype=torch.long)
        kinds = torch.zeros(len(tokens), width, dtype=torch.long)
        for i, (row, second) in enumerate(zip(tokens, seconds, strict=True)):
            ids[i, : len(row)] = torch.tensor(row)
            mask[i, : len(row)] = 1
            kinds[i, second : len(row)] = 1
        device = self.head.weight.device
        ids, mask, kinds = ids.to(device), mask.to(device), kinds.to(device)
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
        return hidden, mask

    def embed(self, texts: list[str]) -> Tensor:
        """As ``MiniBert.embed``."""
        tokens = [[self.tokenise.start, *self.tokenise(t)[: MAX_TOKENS - 2], self.tokenise.end] for t in texts]
        hidden, mask = self._run(tokens, [len(t) for t in tokens])
        mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        return nn.functional.normalize(mean.float(), dim=-1)

    def score(self, questions: list[str], candidates: list[str]) -> Tensor:
        """As ``MiniBert.score``, a question to each candidate."""
        tokens, seconds = [], []
        for question, candidate in zip(questions, candidates, strict=True):
            first = [self.tokenise.start, *self.tokenise(question)[: MAX_TOKENS // 2], self.tokenise.end]
            tokens.append([*first, *self.tokenise(candidate)[: MAX_TOKENS - len(first) - 1], self.tokenise.end])
            seconds.append(len(first))
        hidden, _ = self._run(tokens, seconds)
        return self.head(hidden[:, 0].float()).squeeze(-1)

    def save(self, path: Path, extra: dict[str, Any] | None = None) -> MiniBert:
        """Write the weights as int8 with a scale per row, and ``extra`` arrays; returns it, loaded again."""
        arrays: dict[str, Any] = {"vocabulary": np.frombuffer("\n".join(self.vocabulary).encode(), np.uint8)}
        state = {k: v.detach().float().cpu().numpy() for k, v in self.encoder.state_dict().items()}

        def keep(name: str, array: Any) -> None:
            array = np.atleast_2d(array)
            if len(array) == 1:
                arrays[name] = array.astype(np.float32)
                return
            scale = np.maximum(np.abs(array).max(1), 1e-8) / 127
            arrays[name] = np.round(array / scale[:, None]).astype(np.int8)
            arrays[f"{name}.scale"] = scale.astype(np.float32)

        keep("word", state["embeddings.word_embeddings.weight"])
        keep("position", state["embeddings.position_embeddings.weight"][:MAX_TOKENS])
        arrays["kind"] = state["embeddings.token_type_embeddings.weight"].astype(np.float32)
        for end in ("weight", "bias"):
            arrays[f"norm.{end}"] = np.atleast_2d(state[f"embeddings.LayerNorm.{end}"])
            arrays[f"score.{end}"] = np.atleast_2d(getattr(self.head, end).detach().float().cpu().numpy())
        for n in range(self.encoder.config.num_hidden_layers):
            for theirs, ours in _PARTS.items():
                source = f"encoder.layer.{n}.{theirs}"
                if ours.endswith("norm"):
                    for end in ("weight", "bias"):
                        arrays[f"layer.{n}.{ours}.{end}"] = np.atleast_2d(state[f"{source}.{end}"])
                else:
                    keep(f"layer.{n}.{ours}", state[f"{source}.weight"])
                    arrays[f"layer.{n}.{ours}.bias"] = np.atleast_2d(state[f"{source}.bias"])
        arrays.update(extra or {})
        partial = path.with_suffix(".partial.npz")
        np.savez_compressed(partial, **arrays)
        partial.replace(path)
        return MiniBert(dict(np.load(path, allow_pickle=False)))
