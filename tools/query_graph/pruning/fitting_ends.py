"""Which things may have a step where no class tells it: by what those that have the step also have.

All dives that are guided by somebody have a date and a site; a boat has neither, so nobody guides it.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from triplewise.tools.query_graph.schema_view import SchemaView, Step


class FittingEnds:
    """The ends that fit the relations of one graph."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        self._shared: dict[Step, frozenset[Step]] = {}

    def fits(self, node: str, step: Step) -> bool:
        """Whether a thing may have a step: it has it, or another that most of those with the step have. What has a
        class that the graph tells, or nothing that tells its kind, may."""
        steps = self.schema.steps(node)
        if step in steps or not self.schema.roles.row_classes.issuperset(self.schema.store.types(node)):
            return True
        own = {s for s in steps if not self._everywhere(s)}
        usual = self._usual(step)
        return not own or not usual or bool(own & usual)

    def _usual(self, step: Step) -> frozenset[Step]:
        """The other steps that most of those with a step have, without those that things of all kinds have."""
        found = self._shared.get(step)
        if found is None:
            having = self.schema.first(self.schema.starts(step))
            counts = Counter(s for node in having for s in self.schema.steps(node))
            found = self._shared[step] = frozenset(
                s for s, n in counts.items() if s != step and 2 * n > len(having) and not self._everywhere(s)
            )
        return found

    def _everywhere(self, step: Step) -> bool:
        """Whether most things of the graph have a step, so that it tells nothing of their kind."""
        return step.relation in self.schema.left_out or 2 * len(self.schema.starts(step)) > self._size

    @cached_property
    def _size(self) -> int:
        """How many things the graph tells something of."""
        return len(frozenset().union(*map(self.schema.heads, self.schema.relations)))
