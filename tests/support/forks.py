"""A process that forks on request, so that what it imported once is there at once in each child.

Each line of standard input is JSON: ``{"wait": pid}`` answers with that child's exit code, anything else forks, answers
with the child's pid, and is handed to the child.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any


def serve(child: Callable[[dict[str, Any]], None]) -> None:
    """Answer until the input ends; in a child, run ``child`` and return, as any program ends."""
    for line in sys.stdin:
        said = json.loads(line)
        if "wait" in said:
            print(os.waitstatus_to_exitcode(os.waitpid(said["wait"], 0)[1]), flush=True)
        elif pid := os.fork():
            print(pid, flush=True)
        else:
            child(said)
            return
