"""The relations of a graph that tell of relatives, and the ways along them that words for relatives take."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import product

from triplewise.kg.kept import kept_with
from triplewise.kg.query.graph import alternatives, either
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.kinship import Chain, Kin, Sex, chains_of_label, kin_of_label

_SYMMETRIC = ("sibling", "spouse")


def kin_relations(schema: SchemaView) -> KinRelations:
    """What a graph tells of relatives, found once."""
    return kept_with(schema.store, KinRelations, lambda: KinRelations(schema))


class KinRelations:
    """What one graph tells of relatives."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema

    @cached_property
    def relations(self) -> dict[str, tuple[Kin, bool]]:
        """Relation → whom it names, and whether that is its head."""
        found = ((r, kin_of_label(self.schema.words(r))) for r in self.schema.relations)
        return {r: kin for r, kin in found if kin}

    @cached_property
    def in_one_step(self) -> dict[Chain, set[tuple[Step, ...]]]:
        """The chains of several steps that a relation of its own tells, "gran of", with the step along it."""
        found = defaultdict[Chain, set[tuple[Step, ...]]](set)
        for relation in self.schema.relations:
            chains, of_head = chains_of_label(self.schema.words(relation))
            for chain in chains:
                found[chain].add((Step(relation, inverse=of_head),))
        return dict(found)

    @cached_property
    def _of_one_sex(self) -> frozenset[str]:
        """The relations that are told together."""
        return frozenset(r for both in self.either_sex for r in alternatives(both, self.schema.store.relation_ids))

    @cached_property
    def either_sex(self) -> dict[str, tuple[Kin, bool]]:
        """What mother and father, or daughter and son, are together, of a graph that has a relation for each alone."""
        found: dict[str, tuple[Kin, bool]] = {}
        for step in ("parent", "child"):
            same = {r: (kin, head) for r, (kin, head) in self.relations.items() if kin.step == step}
            heads = {head for _, head in same.values()}
            if {kin.sex for kin, _ in same.values()} == {"she", "he"} and len(heads) == 1:
                found[either(same)] = (Kin(step), heads.pop())
        return found

    def wider(self, steps: Collection[str]) -> dict[str, str]:
        """Relation of one sex → that of both, where children or parents are spoken of; ``steps``: which of these."""
        return {
            one: whole
            for whole, (kin, _) in self.either_sex.items()
            for one in alternatives(whole, self.schema.store.relation_ids)
            if kin.step in steps or {kin.step, *steps} == {"parent", "child"}
        }

    def _ways(
        self, kin: Kin, told_of: Mapping[str, tuple[Kin, bool]] | None = None
    ) -> Iterator[tuple[tuple[Step, ...], Sex]]:
        """The steps to a relative of one kind, and the sex that these tell, by some relations: by default those of both
        sexes together where no sex is said."""
        if told_of is None:
            told_of = self.relations
            if not kin.sex or kin.step == "sibling":
                told_of = self.either_sex | {r: k for r, k in told_of.items() if r not in self._of_one_sex}
        for relation, (told, of_head) in told_of.items():
            forth, back = Step(relation, inverse=of_head), Step(relation, inverse=not of_head)
            if told.step == kin.step:
                yield (forth,), told.sex
                if told.step in _SYMMETRIC and self.schema.starts(back):
                    yield (back,), ""
            elif {told.step, kin.step} == {"parent", "child"}:
                yield (back,), ""
            if kin.step == "sibling" and told.step in ("parent", "child"):
                up = forth if told.step == "parent" else back
                yield (up, up.back), ""
                for other, (own, head) in self.relations.items() if not told.sex else ():
                    if own.step == told.step == "child" and own.sex and own.sex == kin.sex:
                        yield (up, Step(other, inverse=head)), own.sex  # "brother": a son of the same parent

    def walks(self, chain: Chain, *, every: bool = False) -> Iterator[tuple[tuple[tuple[Step, ...], Sex], ...]]:
        """The ways along a chain whose relations tell no other sex than its words; ``every``: those too that pass over
        the relatives of one sex."""
        for ways in product(
            *([*self._ways(kin), *(self._ways(kin, self.relations) if every else ())] for kin in chain)
        ):
            if not any(sex and kin.sex and sex != kin.sex for kin, (_, sex) in zip(chain, ways, strict=True)):
                yield ways
