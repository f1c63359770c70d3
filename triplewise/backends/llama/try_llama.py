"""``python -m triplewise.backends.llama.try_llama MODEL.gguf [ADAPTER.gguf]``: loads a model and writes one token.

Run as a child process by ``triplewise doctor``, since a crash in native code ends the whole process.
"""

from __future__ import annotations

import sys
from pathlib import Path

from triplewise.errors import TriplewiseError


def main(arguments: list[str]) -> int:
    """Exit code 0 where the model answers; else 1 with the reason as the last line of the error stream."""
    from triplewise.backends.llama.llama_engine import Engine, Sampling

    try:
        engine = Engine(Path(arguments[0]), Path(arguments[1]) if arguments[1:] else None, 256, None, -1)
        tokens = engine.tokenize(engine.render([{"role": "user", "content": "Hello"}]))
        sampling = Sampling(max_tokens=1)
        list(engine.generate(tokens, sampling, engine.start(tokens, sampling)))
        engine.close()
    except TriplewiseError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
