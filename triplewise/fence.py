"""Limits of a child process that reads a file made by somebody else: what it does beyond ends it, not its caller."""

from __future__ import annotations

import sys

MEMORY = 2 * 2**30
"""Bytes of address space."""


def limit_process(seconds: int, memory: int = MEMORY) -> None:
    """Limit this process to so many seconds of processor time and bytes of address space, where the system can.

    The caller keeps a clock for systems that cannot.
    """
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
