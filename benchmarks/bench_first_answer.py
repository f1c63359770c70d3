"""Time to the first answer: a fresh clone, its own empty pip cache, ``make demo``.

    python benchmarks/bench_first_answer.py                  # this checkout's last commit
    python benchmarks/bench_first_answer.py --keep /tmp/clone

Prints seconds from ``make demo`` to each of: the virtual environment, the end of the installation (most of it compiles
llama.cpp), the first answer, all answers; and the size of ``.venv``. Packages come from the index that pip is set up
with, so that the network counts too. Nothing is taken from earlier runs but what the operating system keeps of files.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAKE = ("make", "demo")


def main() -> int:
    """Clone, run ``make demo`` and print when what was done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, help="clone here and leave it, instead of into a temporary folder")
    args = parser.parse_args()
    if args.keep:
        return measure(args.keep)
    with tempfile.TemporaryDirectory() as folder:
        return measure(Path(folder) / "clone")


def measure(clone: Path) -> int:
    """The exit status of ``make demo`` in a fresh clone; times go to stdout, its own output to stderr."""
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    cache = clone / ".pip-cache"
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS")}
    environment |= {"PIP_CACHE_DIR": str(cache), "XDG_CACHE_HOME": str(clone / ".cache"), "PYTHONUNBUFFERED": "1"}
    print(f"{len(os.sched_getaffinity(0))} CPUs, load {os.getloadavg()[0]:.1f} at the start", flush=True)
    begun = time.perf_counter()

    def tell(what: str) -> None:
        print(f"{what:24}{time.perf_counter() - begun:8.1f} s", flush=True)

    with subprocess.Popen(MAKE, cwd=clone, env=environment, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        asked, answered = 0, False
        for line in running.stdout:
            print(line, end="", file=sys.stderr, flush=True)
            if line.startswith("Installing "):
                tell("virtual environment")
            elif line.startswith("$ triplewise "):
                asked += 1
                if asked == 1:
                    tell("installation")
            elif asked == 1 and line.strip() and not answered:
                answered = True
                tell("first answer")
    tell(f"all {asked} answers" if running.returncode == 0 else f"make failed ({running.returncode})")
    size = sum(p.stat().st_size for p in (clone / ".venv").rglob("*") if p.is_file() and not p.is_symlink())
    print(f"{'.venv':24}{size / 1e6:8.0f} MB")
    return running.returncode


if __name__ == "__main__":
    sys.exit(main())
