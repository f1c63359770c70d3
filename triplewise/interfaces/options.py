"""Options that several commands share, and how settings and JSON come out of them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.kg.names import is_shown

if TYPE_CHECKING:
    from triplewise.config import Settings

Kg = Annotated[str | None, typer.Option("--kg", help="Graph file, folder or 'films' (the bundled graph).")]
Model = Annotated[str | None, typer.Option("--model", help="llamacpp:embedded, llamacpp:PATH.gguf, openai:MODEL.")]
Preset = Annotated[str | None, typer.Option("--preset", help="default, short, paper or reference.")]
Format = Annotated[str | None, typer.Option("--format", help="Format of the graph file; default: by suffix.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad-lines", help="Load the rest of a file with bad lines.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Index = Annotated[
    str | None, typer.Option("--index", metavar="PLACE", help="Folder or Chroma server's URL; default: in your cache.")
]
Embedder = Annotated[
    str | None, typer.Option("--embedder", metavar="NAME", help="minilm, st:NAME_OR_PATH or openai:MODEL.")
]
ClosedWorld = Annotated[
    bool, typer.Option("--closed-world", help="Claims: what the graph does not say is false; else it leaves them open.")
]
ReadingNumber = Annotated[
    int | None, typer.Option("--reading", help="query-graph: take this reading of the sentence; 1 is the likeliest.")
]
Ranker = Annotated[str | None, typer.Option("--ranker", help="query-graph: FILE.npz of 'train ranker'.")]
NoSubgraph = Annotated[bool, typer.Option("--no-subgraph", help="cot-kg: over an index of triples alone.")]
Retrieval = Annotated[str | None, typer.Option("--retrieval", metavar="MODE", help="follow, dense, bm25 or fusion.")]
Trace = Annotated[bool, typer.Option("--trace", help="Print what each node saw, asked and got.")]
Cache = Annotated[
    bool | None, typer.Option("--cache/--no-cache", help="Keep replies and reuse them; default: at temperature 0.")
]
Timeout = Annotated[
    float | None, typer.Option("--timeout", metavar="SECONDS", help="For one try of one call to a server.")
]
MaxCalls = Annotated[int | None, typer.Option("--max-calls", metavar="N", help="Stop before more calls than this.")]
MaxTokens = Annotated[
    int | None, typer.Option("--max-tokens", metavar="N", help="Stop once this many tokens, of all calls, are used.")
]
MaxCost = Annotated[
    float | None, typer.Option("--max-cost", metavar="USD", help="Stop once this is spent; needs the model's price.")
]


def settings_of(*, cache: bool | None = None, **arguments: object) -> Settings:
    """The settings with the command's flags on top; ``--cache`` keeps a path that the settings give."""
    from triplewise.config import load_settings

    if cache and isinstance(load_settings().cache, str):
        cache = None
    return load_settings(cache=cache, **arguments)


def counted(number: int, word: str) -> str:
    """A number and what it counts: "1 call", "2 calls"."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


@contextmanager
def status_line(*, quiet: bool = False) -> Iterator[Callable[[str], None] | None]:
    """A function that shows what goes on in one line of stderr; None where that is no terminal, or ``quiet``.

    The line is cleared at the end, also where that is an error, whose message would else stand behind it.
    """
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    try:
        yield lambda text: print(f"\r\033[K  {text}", end="", file=sys.stderr, flush=True)
    finally:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def say_progress(line: str) -> None:
    """A line about a long run, to stderr at once."""
    print(line, file=sys.stderr, flush=True)


def print_json(data: Any) -> None:
    """Print one JSON object; what could drive a terminal is escaped, so that nothing is lost."""
    text = json.dumps(data, ensure_ascii=not (sys.stdout.encoding or "").lower().startswith("utf"), indent=2)
    print("".join(c if c == "\n" or is_shown(c) else json.dumps(c)[1:-1] for c in text))
