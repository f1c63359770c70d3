"""README's first command needs the extra ``local`` only: no package of another extra is imported by ask and verify."""

from __future__ import annotations

import subprocess
import sys

import pytest

OTHERS = {
    "langchain", "langgraph.checkpoint.sqlite", "chromadb", "sentence_transformers", "torch", "pykeen", "safetensors",
    "transformers", "peft", "gguf", "datasets", "accelerate", "pyoxigraph", "inspect_ai", "scipy", "matplotlib",
    "fastapi", "uvicorn", "mcp",
}  # fmt: skip
"""What the other extras bring."""

WITHOUT = f"""
import sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in {OTHERS!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
from triplewise.__main__ import main
sys.exit(main())
"""


@pytest.mark.local
@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["ask", "Which films did Jane Campion direct?"], "The Piano"),
        (
            [
                "ask",
                "The Little Badgers are in the middle of some book, who's it by?",
                "--kg",
                "corpus/library/graph.tsv",
            ],
            "Grace Whitlow",
        ),
        (["verify", "Ridley Scott directed a film that stars Russell Crowe."], "Supported"),
    ],
)
def test_the_first_commands_without_the_other_extras(arguments: list[str], answer: str) -> None:
    pytest.importorskip("llama_cpp")
    done = subprocess.run([sys.executable, "-c", WITHOUT, *arguments], capture_output=True, text=True, timeout=120)
    assert answer in done.stdout, done.stdout + done.stderr
