"""What a run spends, per node, and the cap that stops it.

``call_model`` reserves a call before it asks a model and settles the usage after the reply, so that a
cap on calls is exact however many calls are in flight. Tokens and money are known only afterwards:
calls already in flight when the cap is reached still finish, and the next one is refused.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from triplewise.errors import BudgetExceededError, ConfigError
from triplewise.types import Caps, Usage


class UsageMeter:
    """Usage by node name; safe across threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_node: dict[str, Usage] = {}

    def add(self, node: str, usage: Usage) -> None:
        """Count one call's usage."""
        with self._lock:
            self._by_node[node] = self._by_node.get(node, Usage()) + usage

    @property
    def by_node(self) -> dict[str, Usage]:
        """Usage per node, in the order in which the nodes first called."""
        with self._lock:
            return dict(self._by_node)

    @property
    def total(self) -> Usage:
        """Usage of all nodes together."""
        return sum(self.by_node.values(), Usage())


class Budget:
    """Caps and what was spent under them (``meter``). Raises ConfigError on a cap below zero."""

    def __init__(
        self, max_calls: int | None = None, max_tokens: int | None = None, max_cost: float | None = None
    ) -> None:
        self.caps = Caps(max_calls, max_tokens, max_cost)
        for name in Caps.__slots__:
            value = getattr(self.caps, name)
            if value is not None and not value >= 0:
                raise ConfigError(f"{name} is {value}; it must be at least 0.")
        self.meter = UsageMeter()
        self._reserved = 0
        self._lock = threading.Lock()

    def reserve(self, *, priced: bool = True) -> None:
        """Set one call aside, or raise BudgetExceededError.

        ``priced``: whether the model's calls have a known cost; a cap on money cannot be kept without
        (ConfigError).
        """
        caps = self.caps
        if caps.max_cost is not None and not priced:
            raise ConfigError(
                "max_cost is set, but this model has no known price.",
                "Give its price under [prices] in triplewise.toml, or cap max_calls or max_tokens.",
            )
        with self._lock:
            spent = self.meter.total
            tokens = spent.prompt_tokens + spent.completion_tokens
            if caps.max_calls is not None and spent.calls + self._reserved >= caps.max_calls:
                raise _exceeded(f"{caps.max_calls} call{'s' * (caps.max_calls != 1)}", "max_calls")
            if caps.max_tokens is not None and tokens >= caps.max_tokens:
                raise _exceeded(f"{caps.max_tokens} token{'s' * (caps.max_tokens != 1)} ({tokens} used)", "max_tokens")
            if caps.max_cost is not None and (spent.cost or 0.0) >= caps.max_cost:
                raise _exceeded(f"${caps.max_cost:g} (${spent.cost or 0:.4f} spent)", "max_cost")
            self._reserved += 1

    def settle(self, node: str, usage: Usage) -> None:
        """Replace a reserved call by what it really cost; an unanswered call costs ``Usage()``."""
        with self._lock:
            self._reserved -= 1
            self.meter.add(node, usage)


def _exceeded(what: str, name: str) -> BudgetExceededError:
    return BudgetExceededError(f"the cap of {what} is reached.", f"Raise {name} to go on.")


_active: ContextVar[Budget | None] = ContextVar("triplewise_budget", default=None)


def active_budget() -> Budget | None:
    """The budget that calls in this context are charged to."""
    return _active.get()


@contextmanager
def use_budget(budget: Budget | Caps) -> Iterator[Budget]:
    """Charge every model call inside the block, in all its tasks and nodes, to one budget.

    Inside another budget's block the inner one alone counts.
    """
    if isinstance(budget, Caps):
        budget = Budget(budget.max_calls, budget.max_tokens, budget.max_cost)
    token = _active.set(budget)
    try:
        yield budget
    finally:
        _active.reset(token)
