"""llama.cpp's compiled library: its log, its memory buffers, and messages for crashes in it.

The log goes through one callback of ours: silent, its last lines kept for the message of a failed load, and all of
it on the error stream with ``TRIPLEWISE_LLAMA_LOG=1``. Extra buffer types (weights repacked for AMX and the like) are
off: on CPUs with AMX llama.cpp dies of an illegal instruction when a model with an adapter is evaluated in them.
``TRIPLEWISE_EXTRA_BUFFERS=1`` asks for them.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Any

from triplewise.errors import BackendError, MissingExtraError

KEPT_LINES = 8
"""Lines of llama.cpp's log that the message of a failed load may quote."""
_WARNING = 3  # ggml_log_level: 1 debug, 2 info, 3 warning, 4 error, 5 continues the last line
_lines: deque[str] = deque(maxlen=KEPT_LINES)
_lock = threading.Lock()
_callback: Any = None


def switched_on(variable: str) -> bool:
    """Whether an environment variable is set to something else than 0, off, no or false."""
    return os.environ.get(variable, "").strip().lower() not in ("", "0", "off", "no", "false")


def log_wanted() -> bool:
    """Whether llama.cpp's whole log is asked for."""
    return switched_on("TRIPLEWISE_LLAMA_LOG")


def load_library() -> Any:
    """The module ``llama_cpp`` with its log redirected; raises MissingExtraError where it is not installed."""
    global _callback
    try:
        import llama_cpp
    except ImportError:
        raise MissingExtraError("the llama.cpp backend", "local") from None
    with _lock:
        if _callback is None:
            _callback = llama_cpp.llama_log_callback(_log)
            llama_cpp.llama_log_set(_callback, ctypes.c_void_p(0))
    return llama_cpp


def _log(level: int, text: bytes, _: Any) -> None:
    line = text.decode("utf-8", "replace")
    if log_wanted():
        sys.stderr.write(line)
    if level >= _WARNING and line.strip(" .\n"):
        _lines.append(line.strip())


def last_words() -> str:
    """What llama.cpp logged last as a warning or an error, for the message of a failed load; "" for nothing."""
    return "; ".join(_lines)


@contextmanager
def model_parameters(sequences: int = 1) -> Iterator[None]:
    """While it lasts, models are loaded without extra buffer types unless these are asked for, and with a context for
    so many sequences, which share its cells.

    ``llama_cpp.Llama`` takes no such arguments: it starts from llama.cpp's default parameters, which are changed here.
    """
    module = load_library().llama_cpp
    with _lock:
        defaults: Callable[[], Any] = module.llama_model_default_params
        context_defaults: Callable[[], Any] = module.llama_context_default_params

        def without_extra_buffers() -> Any:
            parameters = defaults()
            parameters.use_extra_bufts = switched_on("TRIPLEWISE_EXTRA_BUFFERS")
            return parameters

        def of_sequences() -> Any:
            parameters = context_defaults()
            parameters.n_seq_max, parameters.kv_unified = sequences, True
            return parameters

        _lines.clear()
        module.llama_model_default_params = without_extra_buffers
        module.llama_context_default_params = of_sequences
        try:
            yield
        finally:
            module.llama_model_default_params = defaults
            module.llama_context_default_params = context_defaults


def beside(llm: Any) -> Any:
    """A ``Llama`` with a context of its own over the weights, vocabulary and adapter that another one has loaded.

    Raises BackendError where llama.cpp gives no context. The first one must live as long as this one.
    """
    import numpy as np
    from llama_cpp import _internals

    module = load_library().llama_cpp
    other = object.__new__(type(llm))
    vars(other).update(vars(llm))
    other._stack = ExitStack()
    try:
        context = _internals.LlamaContext(model=llm._model, params=llm.context_params, verbose=llm.verbose)
    except ValueError:
        raise BackendError("llama.cpp gives no other context.", "Is memory short?") from None
    other._ctx = other._stack.enter_context(closing(context))
    batch = _internals.LlamaBatch(n_tokens=llm.n_batch, embd=0, n_seq_max=llm.context_params.n_ctx, verbose=llm.verbose)
    other._batch = other._stack.enter_context(closing(batch))
    if llm._lora_adapter:
        adapters = (module.llama_adapter_lora_p_ctypes * 1)(llm._lora_adapter)
        if module.llama_set_adapters_lora(context.ctx, adapters, 1, (ctypes.c_float * 1)(llm.lora_scale)):
            other._stack.close()
            raise BackendError("llama.cpp cannot use the adapter in another context.")
    other._candidates = _internals.LlamaTokenDataArray(n_vocab=llm.n_vocab())
    other.input_ids, other.scores = np.empty_like(llm.input_ids), np.empty_like(llm.scores)
    other.n_tokens, other._requires_eval, other._sampler = 0, True, None
    return other


# crashes ----------------------------------------------------------------------------------------------

CRASHES = [
    getattr(signal, name) for name in ("SIGILL", "SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE") if hasattr(signal, name)
]
_WHY = {
    "SIGILL": "an instruction that this processor does not have",
    "SIGSEGV": "a memory error",
    "SIGBUS": "a memory error",
    "SIGABRT": "a failed check",
    "SIGFPE": "an arithmetic error",
}
_ADVICE = {
    "SIGILL": 'Rebuild it for any processor: CMAKE_ARGS="-DGGML_NATIVE=OFF" pip install --force-reinstall '
    "--no-binary llama-cpp-python llama-cpp-python; or use a server with --model openai:MODEL.",
    "": "Is the model file whole? TRIPLEWISE_LLAMA_LOG=1 shows llama.cpp's log; or use a server with --model "
    "openai:MODEL.",
}


def crash_words(number: int) -> tuple[str, str]:
    """What to say, and what to do, where llama.cpp ended the process by this signal."""
    name = signal.Signals(number).name if number in {s.value for s in signal.Signals} else f"signal {number}"
    if name == "SIGILL" and switched_on("TRIPLEWISE_EXTRA_BUFFERS"):
        return f"llama.cpp crashed: {_WHY[name]} ({name}).", "Unset TRIPLEWISE_EXTRA_BUFFERS."
    why = f": {_WHY[name]}" if name in _WHY else ""
    return f"llama.cpp crashed{why} ({name}).", _ADVICE.get(name, _ADVICE[""])


def tried_in_child(command: Sequence[str], timeout: float = 120.0) -> None:
    """Run a command that loads and evaluates a model; raises BackendError in words where it crashes or fails.

    ``timeout`` is in seconds.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        raise BackendError(f"the model gave no token within {timeout:.0f} s.", "Is the machine busy?") from None
    if done.returncode < 0:
        raise BackendError(*crash_words(-done.returncode))
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise BackendError(f"the model cannot be run: {lines[-1] if lines else f'exit code {done.returncode}'}")


def try_model(model_path: str, lora_path: str | None) -> None:
    """Load a model in a child process and let it write one token; raises BackendError where that fails."""
    child = [sys.executable, "-P", "-m", "triplewise.backends.llama.try_llama"]
    tried_in_child([*child, model_path, *([lora_path] if lora_path else [])])


_handlers: list[Any] = []


def tell_crashes() -> None:
    """From now on a crash in native code ends this process with words on the error stream and 128 + signal.

    For commands, not for libraries: it replaces the process's handlers of the signals in ``CRASHES``.
    """
    if _handlers or os.name != "posix":
        return
    kind = ctypes.CFUNCTYPE(None, ctypes.c_int)

    def told(number: int) -> None:
        message, advice = crash_words(number)
        os.write(2, f"\ntriplewise: {message}\n  {advice}\n".encode())
        os._exit(128 + number)

    handler = kind(told)
    _handlers.append(handler)
    libc = ctypes.CDLL(None)
    libc.signal.argtypes, libc.signal.restype = [ctypes.c_int, kind], ctypes.c_void_p
    for number in CRASHES:
        libc.signal(int(number), handler)
