"""MiniLM over the texts of a graph's entities, its upper layers trainable: the encoder of ``text.py``.

The lower layers stay as they are, so that their output is computed once and kept (two bytes a number: about 15 kB an
entity). A batch then costs the upper layers alone, in bfloat16 where the processor computes it; Adam sees copies of the
weights in float32, since steps of training are finer than bfloat16 is.

An entity's vector is twice the width of the encoder: the mean of all its tokens beside the mean of its name's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from triplewise.backends.encoders.mini_bert import WordPiece

Text = tuple[str, str]
"""An entity's name and what describes it, "" where nothing does."""
_CHUNK_TOKENS = 4_096


class EntityEncoder:
    """Encodes entities by position. ``trained``: how many upper layers learn; texts are cut at ``max_tokens``."""

    def __init__(self, folder: Path, texts: Sequence[Text], *, trained: int = 3, max_tokens: int = 32) -> None:
        from transformers import BertConfig, BertModel
        from transformers.utils import logging

        logging.disable_progress_bar()
        said = logging.get_verbosity()
        logging.set_verbosity_error()  # that the pooler's weights are not used
        config = BertConfig.from_pretrained(folder, hidden_act="gelu_pytorch_tanh", attn_implementation="eager")
        model: Any = BertModel.from_pretrained(folder, config=config, add_pooling_layer=False)
        logging.set_verbosity(said)
        self.type = torch.bfloat16 if torch.ops.mkldnn._is_mkldnn_bf16_supported() else torch.float32
        model = model.to(self.type).eval().requires_grad_(False)
        self.width: int = config.hidden_size
        self._model = model
        self._split = config.num_hidden_layers - trained
        self.upper: Any = model.encoder.layer[self._split :]
        self.upper.requires_grad_(True)
        self.tokenise = WordPiece((folder / "vocab.txt").read_text(encoding="utf-8").splitlines())
        tokens, names = zip(*(self._tokens(name, about, max_tokens) for name, about in texts), strict=True)
        self._lengths = np.array([len(t) for t in tokens])
        self._names = np.array(names)
        self._starts = np.concatenate([[0], np.cumsum(self._lengths)])[:-1]
        self._states = self._lower(np.concatenate([np.array(t) for t in tokens]))

    def _tokens(self, name: str, about: str, most: int) -> tuple[list[int], int]:
        """Token ids with [CLS] and [SEP], and how many of them are the name's."""
        own = self.tokenise(name)[: most - 2]
        more = self.tokenise(f": {about}")[: most - 2 - len(own)] if about else []
        return [self.tokenise.start, *own, *more, self.tokenise.end], len(own)

    def _chunks(self, rows: NDArray[Any]) -> Iterator[tuple[NDArray[Any], NDArray[Any], Tensor]]:
        """(places in ``rows``, indices of their tokens [texts × width], mask), texts of like length together."""
        order = np.argsort(self._lengths[rows], kind="stable")
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order) and self._lengths[rows[order[end]]] * (end - start + 1) <= _CHUNK_TOKENS:
                end += 1
            places = order[start:end]
            lengths = self._lengths[rows[places]]
            within = np.arange(lengths.max())
            mask = within < lengths[:, None]
            yield places, np.where(mask, self._starts[rows[places]][:, None] + within, 0), torch.from_numpy(mask)
            start = end

    @torch.no_grad()
    def _lower(self, ids: NDArray[Any]) -> Tensor:
        """What the untrained layers make of all tokens: [tokens × width]."""
        flat = torch.from_numpy(ids.astype(np.int64))
        found = torch.empty(len(ids), self.width, dtype=self.type)
        for _, at, mask in self._chunks(np.arange(len(self._lengths))):
            indices = torch.from_numpy(at)
            hidden = self._model.embeddings(input_ids=flat[indices])
            hidden = self._through(self._model.encoder.layer[: self._split], hidden, mask)
            found[indices[mask]] = hidden[mask]
        return found

    def _through(self, layers: Any, hidden: Tensor, mask: Tensor) -> Tensor:
        away = torch.zeros(mask.shape, dtype=self.type).masked_fill(~mask, -1e4)[:, None, None, :]
        for layer in layers:
            hidden = layer(hidden, away)
            hidden = hidden[0] if isinstance(hidden, tuple) else hidden
        return hidden

    def __call__(self, rows: NDArray[Any]) -> Tensor:
        """Vectors [rows × 2·width] in float32 of these entities, with a gradient where one is asked for."""
        parts, order = [], []
        for places, at, mask in self._chunks(rows):
            hidden = self._through(self.upper, self._states[torch.from_numpy(at)], mask)
            within = torch.arange(mask.shape[1])
            named = (within >= 1) & (within <= torch.from_numpy(self._names[rows[places]])[:, None])
            named[:, 0] |= ~named.any(1)  # a name without a token: its [CLS]
            means = [(hidden * m[:, :, None]).float().sum(1) / m.sum(1, keepdim=True) for m in (mask, named)]
            parts.append(torch.cat(means, dim=1))
            order.append(places)
        return torch.cat(parts)[torch.from_numpy(np.concatenate(order).argsort())]

    @torch.no_grad()
    def all(self) -> Tensor:
        """The vectors of all entities, without a gradient."""
        return self(np.arange(len(self._lengths)))

    @torch.no_grad()
    def sentences(self, texts: Sequence[str]) -> Tensor:
        """Plain means [texts × width] of other texts, such as relations' words, by the layers as they are now."""
        found = []
        for text in texts:
            ids = torch.tensor([[self.tokenise.start, *self.tokenise(text)[:62], self.tokenise.end]])
            hidden = self._model.embeddings(input_ids=ids)
            mask = torch.ones(ids.shape, dtype=torch.bool)
            found.append(self._through(self._model.encoder.layer, hidden, mask).float().mean(1)[0])
        return torch.stack(found)


class MasterAdam:
    """AdamW on float32 copies of weights that are kept in bfloat16."""

    def __init__(self, parameters: Sequence[nn.Parameter], rate: float) -> None:
        self._weights = list(parameters)
        self._masters = [p.detach().float().clone().requires_grad_() for p in self._weights]
        self.adam = torch.optim.AdamW(self._masters, lr=rate, weight_decay=0.01)

    def step(self) -> None:
        """One step by the weights' gradients, which are then cleared."""
        for weight, master in zip(self._weights, self._masters, strict=True):
            master.grad = None if weight.grad is None else weight.grad.float()
            weight.grad = None
        nn.utils.clip_grad_norm_(self._masters, 1.0)
        self.adam.step()
        with torch.no_grad():
            for weight, master in zip(self._weights, self._masters, strict=True):
                weight.copy_(master)
