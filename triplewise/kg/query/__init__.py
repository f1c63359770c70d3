"""Query graphs: what is asked of a graph, its execution with proofs, and its forms as words, JSON and SPARQL."""

from __future__ import annotations

from triplewise.kg.query.execute import Execution, Found, execute
from triplewise.kg.query.graph import NAME, TYPE, Filter, Order, Pattern, QueryGraph, Span, Variable

__all__ = [
    "NAME", "TYPE", "Execution", "Filter", "Found", "Order", "Pattern", "QueryGraph", "Span", "Variable", "execute",
]  # fmt: skip
