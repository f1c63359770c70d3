"""Several sequences in one llama.cpp context: their tokens go through the model in one batch.

Sequence 0 holds the prompt. The others are forks: they share the cells of its prefix, which costs nothing, and hold
only what follows it. All share the context's cells (llama.cpp's unified cache), so that forks take no memory of
their own and the prompt alone may still have the whole context.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from triplewise.errors import BackendError, ContextOverflowError

FORKS = 32
"""Sequences beside the prompt's."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Tokens that go on a sequence from a position, counted from 0."""

    sequence: int
    position: int
    tokens: Sequence[int]


class Sequences:
    """The sequences of a context that was made with ``FORKS`` + 1 of them."""

    def __init__(self, llm: Any) -> None:
        from llama_cpp import llama_cpp

        self.capi, self.llm = llama_cpp, llm
        self.context, self.memory = llm._ctx.ctx, llm._ctx.memory

    def evaluate(self, pieces: Sequence[Piece]) -> Any:
        """The logits after each piece, float32 [pieces, vocabulary]; no piece may be empty.

        The pieces are packed into as few batches as their tokens need. Raises BackendError where llama.cpp fails,
        as it does where the context has no room for them.
        """
        import numpy as np

        sizes = [len(p.tokens) for p in pieces]
        token = np.concatenate([np.asarray(p.tokens, np.int32) for p in pieces])
        position = np.concatenate([np.arange(p.position, p.position + len(p.tokens), dtype=np.int32) for p in pieces])
        sequence = np.repeat(np.array([p.sequence for p in pieces], np.int32), sizes)
        last = np.zeros(len(token), np.int8)
        ends = np.cumsum(sizes) - 1
        last[ends] = 1
        found = np.empty((len(pieces), self.llm.n_vocab()), np.float32)
        for start in range(0, len(token), self.llm.n_batch):
            part = slice(start, start + self.llm.n_batch)
            self._decode(token[part], position[part], sequence[part], last[part])
            for i in np.flatnonzero((ends >= part.start) & (ends < part.stop)):
                row = self.capi.llama_get_logits_ith(self.context, int(ends[i]) - start)
                found[i] = np.ctypeslib.as_array(row, shape=found[i].shape)
        return found

    def _decode(self, token: Any, position: Any, sequence: Any, last: Any) -> None:
        import numpy as np

        one_each = np.ones(len(token), np.int32)
        addresses = (sequence.ctypes.data + np.arange(len(token)) * sequence.itemsize).astype(np.uintp)
        batch, kinds = self.capi.llama_batch(len(token)), dict(self.capi.llama_batch._fields_)
        columns = {"token": token, "pos": position, "n_seq_id": one_each, "seq_id": addresses, "logits": last}
        for name, column in columns.items():
            setattr(batch, name, ctypes.cast(column.ctypes.data, kinds[name]))
        if code := self.capi.llama_decode(self.context, batch):
            raise BackendError(f"llama.cpp could not evaluate {len(token)} tokens (code {code}).", "Is memory short?")

    def behind(self, shared: int, replies: Sequence[Sequence[int]]) -> Any:
        """The logits after each reply behind the first ``shared`` tokens of sequence 0, float32 [replies, vocabulary].

        No reply may be empty. Sequence 0 is left as it is. Raises ContextOverflowError where one does not fit.
        """
        import numpy as np

        groups = self._groups(replies, self.llm.n_ctx() - self.llm.n_tokens)
        found = [self._forked(shared, group) for group in groups]
        return np.concatenate([np.empty((0, self.llm.n_vocab()), np.float32), *found])

    def _groups(self, replies: Sequence[Sequence[int]], room: int) -> list[list[Sequence[int]]]:
        """The replies in order, each group small enough for the forks and the context's room, in tokens."""
        groups: list[list[Sequence[int]]] = []
        left = 0
        for reply in replies:
            if len(reply) > room:
                raise ContextOverflowError(
                    f"a continuation of {len(reply)} tokens does not fit: the context has room for {room} more.",
                    "Use a model with a longer context.",
                )
            if not groups or len(groups[-1]) == FORKS or len(reply) > left:
                groups.append([])
                left = room
            groups[-1].append(reply)
            left -= len(reply)
        return groups

    def _forked(self, shared: int, replies: Sequence[Sequence[int]]) -> Any:
        forks = range(1, len(replies) + 1)
        try:
            for fork in forks:
                self.capi.llama_memory_seq_cp(self.memory, 0, fork, 0, shared)
            return self.evaluate([Piece(f, shared, reply) for f, reply in zip(forks, replies, strict=True)])
        finally:
            self.llm._requires_eval = True  # the logits at hand are no longer sequence 0's
            for fork in forks:
                self.capi.llama_memory_seq_rm(self.memory, fork, -1, -1)
