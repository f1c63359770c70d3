"""The ranker's network in torch: MiniLM's encoder, how it compares two texts, and its file for ``MiniBert``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from triplewise.backends.encoders.layers import packed
from triplewise.backends.encoders.mini_bert import MAX_TOKENS, MiniBert, TokenVectors, WordPiece

PARTS = {
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


class _Dropout(nn.Module):
    """Dropout of 26 in 256 values, about the tenth that MiniLM was trained with; all of a network draw from one."""

    def __init__(self, drawn: np.random.Generator) -> None:
        super().__init__()
        self.drawn = drawn

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        drawn = torch.frombuffer(bytearray(self.drawn.bytes(x.numel())), dtype=torch.uint8)
        return x * ((drawn >= 26).view(x.shape).to(x.dtype) * (256 / 230))


def _quicken_dropout(module: nn.Module, drawn: np.random.Generator) -> None:
    for name, part in module.named_children():
        if not isinstance(part, nn.Dropout):
            _quicken_dropout(part, drawn)
        elif part.p:
            setattr(module, name, _Dropout(drawn))


class RankerNetwork(nn.Module):
    """MiniLM as an encoder of sentences and readings; each method gives what ``MiniBert``'s of its name does."""

    def __init__(self, folder: Path) -> None:
        from transformers import BertConfig, BertModel

        super().__init__()
        # On a CPU, PyTorch is slow at drawing dropout's masks and at its fused attention backwards: with plain
        # attention, without dropout of its weights and with masks by NumPy, a step takes a third less.
        config = BertConfig.from_pretrained(
            folder, hidden_act="gelu_pytorch_tanh", attn_implementation="eager", attention_probs_dropout_prob=0.0
        )
        self.encoder = BertModel.from_pretrained(folder, config=config, add_pooling_layer=False)
        _quicken_dropout(self.encoder, np.random.Generator(np.random.SFC64(torch.initial_seed())))
        self.mix = nn.Parameter(torch.tensor([8.0, 4.0, 4.0]))
        self.vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        self.tokenise = WordPiece(self.vocabulary)
        for name, parameter in self.encoder.named_parameters():
            parameter.requires_grad = not name.startswith("embeddings.word")

    def tokens(self, texts: list[str]) -> tuple[Tensor, Tensor, list[int]]:
        """(ids [texts × width], mask [texts × width], how many are a text's), the marks at both ends among them."""
        tokens = [[self.tokenise.start, *self.tokenise(t)[: MAX_TOKENS - 2], self.tokenise.end] for t in texts]
        ids = torch.zeros(len(tokens), filled(max(map(len, tokens))), dtype=torch.long)
        mask = torch.zeros(ids.shape)
        for i, row in enumerate(tokens):
            ids[i, : len(row)] = torch.tensor(row)
            mask[i, : len(row)] = 1
        return ids, mask, [len(row) for row in tokens]

    def lower(self, texts: list[str], layers: int) -> tuple[Tensor, list[int]]:
        """([texts × width × 384] what the first ``layers`` layers give, how many tokens are a text's)."""
        ids, mask, lengths = self.tokens(texts)
        hidden = self.encoder.embeddings(input_ids=ids)
        for layer in self.encoder.encoder.layer[:layers]:
            hidden = run_layer(layer, hidden, mask)
        return hidden, lengths

    def _encode(self, texts: list[str]) -> tuple[Tensor, Tensor, Tensor]:
        """(embeddings [texts × 384], unit vectors of tokens [texts × width × 384], mask of those between the marks)."""
        ids, mask, lengths = self.tokens(texts)
        hidden = self.encoder(input_ids=ids, attention_mask=mask.long()).last_hidden_state.float()
        mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        inner = mask.clone()
        inner[:, 0] = 0
        inner[torch.arange(len(lengths)), torch.tensor(lengths) - 1] = 0
        return nn.functional.normalize(mean, dim=-1), nn.functional.normalize(hidden, dim=-1), inner

    def embed(self, texts: list[str]) -> Tensor:
        """[texts × 384] vectors of length 1."""
        return self._encode(texts)[0]

    def read(self, texts: list[str]) -> TokenVectors:
        """The texts as ``MiniBert.read`` gives them."""
        with torch.no_grad():
            whole, hidden, mask = self._encode(texts)
        tokens = [h[m > 0].numpy() for h, m in zip(hidden, mask, strict=True)]
        ids = [self.tokenise(t)[: MAX_TOKENS - 2] for t in texts]
        return TokenVectors(whole.numpy(), tokens, ids)

    def score(self, sentences: list[str], texts: list[str], sentence_of: list[int]) -> tuple[Tensor, Tensor]:
        """([texts] scores, [sentences × 384] embeddings); ``sentence_of``: which sentence each text is held against.

        The shorter half of the texts is run apart from the longer one, so that less is padding.
        """
        vectors, own, own_mask = self._encode(sentences)
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        scored = []
        for part in (order[: len(order) // 2], order[len(order) // 2 :]):
            if not part:
                continue
            which = torch.tensor([sentence_of[i] for i in part])
            means, hidden, mask = self._encode([texts[i] for i in part])
            near = own[which] @ hidden.transpose(1, 2)
            first = near.masked_fill(mask[:, None, :] == 0, -1).max(2).values
            second = near.masked_fill(own_mask[which][:, :, None] == 0, -1).max(1).values
            parts = (
                (vectors[which] * means).sum(-1),
                (first * own_mask[which]).sum(1) / own_mask[which].sum(1).clamp(min=1),
                (second * mask).sum(1) / mask.sum(1).clamp(min=1),
            )
            scored.append(torch.stack(parts, -1) @ self.mix)
        return torch.cat(scored)[torch.tensor(order).argsort()], vectors

    def load(self, ranker: MiniBert) -> None:
        """Go on from a ranker's file, whose weights were rounded to int8."""
        state, w = self.encoder.state_dict(), ranker.w
        taken = {"embeddings.word_embeddings.weight": w["word"], "embeddings.token_type_embeddings.weight": w["kind"]}
        for end in ("weight", "bias"):
            taken[f"embeddings.LayerNorm.{end}"] = w[f"norm.{end}"][0]
        with torch.no_grad():
            for name, array in taken.items():
                state[name].copy_(torch.tensor(array))
            state["embeddings.position_embeddings.weight"][:MAX_TOKENS].copy_(torch.tensor(w["position"]))
            self.mix.copy_(torch.tensor(w["mix"][0]))
        for n, layer in enumerate(self.encoder.encoder.layer):
            load_layer(layer, f"layer.{n}.", w)

    def save(self, path: Path, extra: dict[str, Any] | None = None, *, half: bool = False) -> MiniBert:
        """Write the weights as int8 with a scale per row, and ``extra`` arrays; returns it, loaded again.

        ``half``: as float16, twice the size, which keeps steps that are less than int8 can tell.
        """
        arrays: dict[str, Any] = {"vocabulary": np.frombuffer("\n".join(self.vocabulary).encode(), np.uint8)}
        state = {k: v.detach().float().cpu().numpy() for k, v in self.encoder.state_dict().items()}
        arrays |= packed("word", state["embeddings.word_embeddings.weight"], half=half)
        arrays |= packed("position", state["embeddings.position_embeddings.weight"][:MAX_TOKENS], half=half)
        arrays["mix"] = self.mix.detach().numpy()[None, :]
        arrays["kind"] = state["embeddings.token_type_embeddings.weight"].astype(np.float32)
        for end in ("weight", "bias"):
            arrays[f"norm.{end}"] = np.atleast_2d(state[f"embeddings.LayerNorm.{end}"])
        for n, layer in enumerate(self.encoder.encoder.layer):
            arrays |= packed_layer(f"layer.{n}.", layer, half=half)
        arrays.update(extra or {})
        partial = path.with_suffix(".partial.npz")
        np.savez_compressed(partial, **arrays)
        partial.replace(path)
        with np.load(path, allow_pickle=False) as archive:
            return MiniBert(dict(archive))


def filled(width: int) -> int:
    """A width in tokens, filled up: PyTorch prepares each new shape of a product, and that takes longer than it."""
    return -(-width // 16) * 16


def run_layer(layer: nn.Module, hidden: Tensor, mask: Tensor) -> Tensor:
    """One of BERT's layers over [texts × width × 384]; ``mask`` [texts × width]."""
    return layer(hidden, (1 - mask)[:, None, None, :] * -1e9)


def load_layer(layer: nn.Module, name: str, w: Mapping[str, npt.NDArray[np.float32]]) -> None:
    """Give a layer the weights of a ranker's file whose names begin with ``name``."""
    state = layer.state_dict()
    with torch.no_grad():
        for theirs, ours in PARTS.items():
            whole = name + ours
            norm = ours.endswith("norm")
            state[f"{theirs}.weight"].copy_(torch.tensor(w[f"{whole}.weight"][0] if norm else w[whole]))
            state[f"{theirs}.bias"].copy_(torch.tensor(w[f"{whole}.bias"][0]))


def packed_layer(name: str, layer: nn.Module, *, half: bool) -> dict[str, Any]:
    """A layer's weights as arrays of a ranker's file whose names begin with ``name``."""
    state = {k: v.detach().float().cpu().numpy() for k, v in layer.state_dict().items()}
    arrays: dict[str, Any] = {}
    for theirs, ours in PARTS.items():
        if ours.endswith("norm"):
            arrays[f"{name}{ours}.weight"] = np.atleast_2d(state[f"{theirs}.weight"])
        else:
            arrays |= packed(name + ours, state[f"{theirs}.weight"], half=half)
        arrays[f"{name}{ours}.bias"] = np.atleast_2d(state[f"{theirs}.bias"])
    return arrays
