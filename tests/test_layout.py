"""The layout: what setuptools packages, what the links resolve, and imports that go one way."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from langgraph.graph import StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command
from typing_extensions import is_typeddict

from triplewise.agents.context import NodeContext
from triplewise.agents.node import Node
from triplewise.agents.state import AskState
from triplewise.graphs import assistant_methods, assistant_router
from triplewise.graphs.method import methods

ROOT = Path(__file__).resolve().parent.parent
FLAT = ("agents", "tools", "graphs", "prompts", "evals")
LEVELS = [
    {"types", "errors", "config", "places", "redaction", "files", "checks", "background", "fence", "tracing"},
    {"kg", "backends", "prompts"},
    {"tools"},
    {"agents"},
    {"graphs", "train"},
    {"evals"},
    {"interfaces", "nodes"},
]
LEVEL = {name: i for i, names in enumerate(LEVELS) for name in names}
BANNED = {"pickle", "cPickle", "dill", "joblib", "diskcache", "shelve", "marshal", "langchain_community"}


def sources() -> list[Path]:
    folders = [ROOT / name for name in FLAT] + [
        ROOT / "triplewise" / d for d in ("kg", "backends", "train", "interfaces")
    ]
    return sorted([p for f in folders for p in f.rglob("*.py")] + list((ROOT / "triplewise").glob("*.py")))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def area(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[1] if parts[0] == "triplewise" else parts[0]


def imports(path: Path) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.append((node.lineno, node.module))
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return found


def test_packages_list_every_code_folder() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = {p.parent.relative_to(ROOT).as_posix() for p in sources()}
    named = {"triplewise." + f.removeprefix("triplewise").strip("/").replace("/", ".") for f in folders}
    named = {n.rstrip(".") for n in named}
    assert named <= set(config["packages"]), named - set(config["packages"])


def test_package_data_names_every_file_that_is_no_code() -> None:
    """Without ``include-package-data``, which takes folders of data for packages that were forgotten."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    assert config["include-package-data"] is False
    folders = {name: ROOT / config["package-dir"].get(name, name.replace(".", "/")) for name in config["packages"]}
    for name in folders:
        parent = name.rpartition(".")[0]
        if name not in config["package-dir"]:
            folders[name] = folders[parent] / name.rpartition(".")[2]
    named = {p for name, patterns in config["package-data"].items() for x in patterns for p in folders[name].glob(x)}
    roots = [ROOT / "triplewise", *(ROOT / name for name in FLAT)]
    there = {p for root in roots for p in root.rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")}
    assert there <= named, there - named


@pytest.mark.parametrize("name", FLAT)
def test_links_resolve_and_roots_are_no_packages(name: str) -> None:
    link = ROOT / "triplewise" / name
    assert link.is_symlink() and link.resolve() == ROOT / name
    assert not (ROOT / name / "__init__.py").exists()


@pytest.mark.parametrize("path", sources(), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_imports_go_one_way_and_nothing_pickles(path: Path) -> None:
    own = LEVEL.get(area(path))
    for line, module in imports(path):
        top = module.split(".")[0]
        assert top not in BANNED or (top == "pickle" and path.name == "factkg_pickle.py"), (
            f"{path}:{line} imports {module}"
        )
        assert top not in FLAT, f"{path}:{line} imports {module}; write triplewise.{module}"
        parts = module.split(".")
        if own is not None and parts[0] == "triplewise" and len(parts) > 1 and parts[1] in LEVEL:
            assert LEVEL[parts[1]] <= own, f"{path}:{line}: {area(path)} imports {module}"


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts if parts[0] == "triplewise" else ("triplewise", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def runtime_imports(path: Path) -> list[tuple[int, str]]:
    """Imports that are made, in functions too; those for type checkers alone are not."""
    tree = tree_of(path)
    checked = [n for n in ast.walk(tree) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.unparse(n.test)]
    lines = {line for node in checked for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    return [(line, module) for line, module in imports(path) if line not in lines]


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports inside functions count: what needs them has a circle all the same. The package's own file is left out,
    since it gives names on first use."""
    known = {module_of(path) for path in sources()} - {"triplewise"}
    edges = {
        module_of(path): {
            module for _, module in runtime_imports(path) if module in known and module != module_of(path)
        }
        for path in sources()
    }
    done: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " → ".join((*way[way.index(module) :], module))
        if module not in done:
            for other in sorted(edges.get(module, ())):
                visit(other, (*way, module))
            done.add(module)

    for module in sorted(known):
        visit(module, ())


def graphs() -> Iterator[tuple[str, StateGraph[Any, Any, Any, Any]]]:
    """(where it is from, graph) of every preset of every method, of the assistant, and of what a server runs."""
    for record in methods():
        for preset, settings in record.presets.items():
            yield f"{record.id}, {preset}", record.build(settings).builder
        yield f"{record.id}, served", sys.modules[record.build.__module__].make_graph().builder
    yield "assistant", assistant_router.build().builder
    yield "assistant, readings", assistant_methods._reading_runner().builder


def nodes() -> Iterator[tuple[str, Callable[..., Any]]]:
    """(graph and name, function) of every node that a graph of ours is made of."""
    for place, graph in graphs():
        for name, spec in graph.nodes.items():
            runnable: Any = spec.runnable
            yield f"{place}: {name}", runnable.function if isinstance(runnable, Node) else runnable.afunc


def loose_types(function: Callable[..., Any]) -> list[str]:
    """What in a node's signature is not named: each of state, context and update that is missing, Any, or a plain dict.

    A state and an update are a TypedDict, none of whose keys is Any; an update may be a Command too.
    """
    hints = get_type_hints(function)
    names = [*list(inspect.signature(function).parameters)[:2], "return"]
    found = [name for name in names if hints.get(name, Any) is Any or Any in get_args(hints.get(name))]
    for name in (names[0], "return"):
        kind = hints.get(name)
        if is_typeddict(kind):
            found += [f"{name}[{key}]" for key, value in get_type_hints(kind).items() if value is Any]
        elif kind is not Any and get_origin(kind) is not Command:
            found.append(f"{name}: {kind}")
    context = hints.get(names[1])
    if context is not NodeContext and get_origin(context) is not Runtime:
        found.append(f"{names[1]}: {context}")
    return found


def test_the_signature_of_a_node_names_its_types() -> None:
    found = dict(nodes())
    assert {place.split(", ")[0].split(": ")[0] for place in found} == {"assistant", *(m.id for m in methods())}
    assert len(found) > 80
    assert {place: wrong for place, function in found.items() if (wrong := loose_types(function))} == {}


def test_a_node_that_takes_or_returns_any_is_found() -> None:
    async def named(state: AskState, context: NodeContext) -> AskState: ...
    async def takes(state: Any, context: NodeContext) -> AskState: ...
    async def returns(state: AskState, context: NodeContext) -> Any: ...
    async def plain(state: AskState, context: NodeContext) -> dict[str, Any]: ...
    async def goes(state: AskState, runtime: Runtime[Any]) -> Command[Any]: ...
    async def silent(state, context): ...

    def wrong(function: Callable[..., Any]) -> set[str]:
        return {name.split(":")[0] for name in loose_types(function)}

    assert wrong(named) == set()
    assert wrong(takes) == {"state"} and wrong(returns) == wrong(plain) == {"return"}
    assert wrong(goes) == {"runtime", "return"} and wrong(silent) == {"state", "context", "return"}


def test_no_folder_holds_more_than_sixteen_files() -> None:
    folders = {p.parent for p in sources()}
    for folder in folders:
        files = [p for p in folder.glob("*.py") if p.name != "__init__.py"]
        assert len(files) <= 16, f"{folder}: {len(files)} files"


def test_every_room_says_what_it_holds() -> None:
    for folder in {p.parent for p in sources()} - {ROOT / name for name in FLAT}:
        first = (folder / "__init__.py").read_text(encoding="utf-8")
        assert first.startswith('"""') and len(first) > 20, folder


def test_no_eval_exec_or_shell() -> None:
    for path in sources():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                assert name not in {"eval", "exec"}, f"{path}:{node.lineno}"
                assert not any(k.arg in {"shell", "trust_remote_code"} for k in node.keywords), f"{path}:{node.lineno}"


def test_importing_the_command_line_is_light() -> None:
    code = "import triplewise.interfaces.cli, sys; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {
        "torch",
        "chromadb",
        "pykeen",
        "llama_cpp",
        "networkx",
        "langgraph",
        "langchain_core",
        "openai",
        "rdflib",
        "numpy",
    }
    assert not heavy & set(loaded)
