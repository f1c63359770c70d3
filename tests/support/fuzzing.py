"""How long hypothesis looks, and what a long run counted.

``TRIPLEWISE_FUZZ=20`` (``make test-all``) looks at twenty times as many examples.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings

FACTOR = int(os.environ.get("TRIPLEWISE_FUZZ", "1"))
Counted = Callable[[str], None]
"""The fixture ``count``: a line for the end of the run, with what was counted."""


def examples(number: int, **more: Any) -> settings:
    """Settings of so many examples, times the factor of a long run; no deadline, since others use the machine too."""
    checks = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=number * FACTOR, deadline=None, suppress_health_check=checks, **more)
