"""The command ``triplewise new``: writes a small project whose own commands work as they are."""

from __future__ import annotations

import keyword
import os
import re
import shutil
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from triplewise.errors import ConfigError
from triplewise.kg.names import one_line

TEMPLATE = Path(__file__).resolve().parent / "template"
FILES = {
    "README.md.txt": "README.md",
    "pyproject.toml.txt": "pyproject.toml",
    "langgraph.json.txt": "langgraph.json",
    "init.py.txt": "{package}/__init__.py",
    "main.py.txt": "{package}/__main__.py",
    "graph.py.txt": "{package}/graph.py",
    "tools.py.txt": "{package}/tools.py",
    "tell.txt": "{package}/prompts/tell.txt",
    "graph.tsv.txt": "{package}/graph.tsv",
    "test_graph.py.txt": "tests/test_graph.py",
}
"""A file of the template → where it goes."""


_NAME = re.compile("[A-Za-z](?:[A-Za-z0-9_-]*[A-Za-z0-9])?")
"""What pip takes as a project's name, a letter first."""


def register(app: typer.Typer) -> None:
    """Add ``new`` to the command line."""

    @app.command()
    def new(
        name: Annotated[str, typer.Argument(help="The project's name; its folder is made here.")],
        folder: Annotated[Path, typer.Option("--in", help="Make it in this folder.")] = Path(),
    ) -> None:
        """Start a project: an agent graph of your own out of our nodes, with a tool, a prompt and a test."""
        root = scaffold(name, folder)
        print(
            f'Made {root}. Next:\n\n  cd {root}\n  python -m {package_name(name)} "Who runs Harbour Light?"\n  pytest'
        )


def package_name(name: str) -> str:
    """The Python package of a project's name; raises ConfigError where there is none."""
    package = re.sub("-+", "_", name.strip().lower())
    if not _NAME.fullmatch(name.strip()) or keyword.iskeyword(package) or package == "triplewise":
        raise ConfigError(
            f"{one_line(name)!r} cannot be a project's name.", "Take letters, digits and hyphens, a letter first."
        )
    return package


def scaffold(name: str, folder: Path = Path()) -> Path:
    """Write the project, whole or not at all, and return its folder; raises ConfigError where that is there already."""
    package = package_name(name)
    root = folder / name.strip()
    if root.exists():
        raise ConfigError(f"{root} is there already.", "Choose another name, or remove it.")
    values = {"name": name.strip(), "package": package, "title": package.replace("_", " ")}
    part = root.with_name(f".{root.name}.{os.getpid()}.part")
    try:
        for source, target in FILES.items():
            path = part / target.format(package=package)
            path.parent.mkdir(parents=True, exist_ok=True)
            text = (TEMPLATE / source).read_text(encoding="utf-8")
            path.write_text(Template(text).substitute(values), encoding="utf-8")
        part.rename(root)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return root
