"""triplewise: LLM agents that reason over knowledge graphs.

Answer a question, verify a claim or complete a missing link over your own
graph, and see the triples that prove it::

    import triplewise

    kg = triplewise.load_kg("films.tsv")
    result = triplewise.ask(kg, "Who directed Alien?", model="openai:gpt-4o-mini")
    print(result.text, result.cited_triples())

``aask``, ``averify`` and ``acomplete`` are the same for asyncio. Names are imported on first
use, so that importing the package costs nothing.
"""

# ruff: noqa: PTH112, PTH113, PTH118, PTH120
# Only what Python has loaded already is imported here, neither pathlib nor typing: nothing takes care of Ctrl-C yet
# while this module runs, so it has to be over at once.
from os import path as _path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from triplewise.backends import load_chat_model as load_chat_model
    from triplewise.errors import TriplewiseError as TriplewiseError
    from triplewise.graphs.assistant import Assistant as Assistant
    from triplewise.graphs.complete import acomplete as acomplete
    from triplewise.graphs.complete import complete as complete
    from triplewise.graphs.graph_tools import graph_tools as graph_tools
    from triplewise.graphs.run import aask as aask
    from triplewise.graphs.run import ask as ask
    from triplewise.graphs.run import averify as averify
    from triplewise.graphs.run import verify as verify
    from triplewise.kg import load_kg as load_kg
    from triplewise.types import Evidence as Evidence
    from triplewise.types import Result as Result
    from triplewise.types import Triple as Triple

_ROOT = _path.dirname(_path.dirname(_path.realpath(__file__)))
if _path.isfile(_path.join(_ROOT, "pyproject.toml")) and _path.isdir(_path.join(_ROOT, "agents")):
    # Running from a checkout: agents/, tools/, graphs/, prompts/ and evals/ lie beside
    # this folder and are imported as triplewise.agents and so on (docs/decisions/0001).
    __path__.append(_ROOT)

__version__ = "0.1.0"

_PUBLIC = {
    "load_kg": "triplewise.kg",
    "load_chat_model": "triplewise.backends",
    "ask": "triplewise.graphs.run",
    "aask": "triplewise.graphs.run",
    "verify": "triplewise.graphs.run",
    "averify": "triplewise.graphs.run",
    "complete": "triplewise.graphs.complete",
    "acomplete": "triplewise.graphs.complete",
    "graph_tools": "triplewise.graphs.graph_tools",
    "Assistant": "triplewise.graphs.assistant",
    "Triple": "triplewise.types",
    "Evidence": "triplewise.types",
    "Result": "triplewise.types",
    "TriplewiseError": "triplewise.errors",
}

__all__ = ["__version__", *sorted(_PUBLIC)]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name in _PUBLIC:
        from importlib import import_module

        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'triplewise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
