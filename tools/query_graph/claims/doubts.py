"""What keeps a verdict of a claim's reading from being one of the claim: that this says more, or something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from triplewise.kg.query.graph import Pattern, QueryGraph, alternatives
from triplewise.tools.query_graph.claims.bare_values import value_of_else, value_of_name
from triplewise.tools.query_graph.claims.counted_kinds import not_counted
from triplewise.tools.query_graph.claims.denied_yes import denied_yes
from triplewise.tools.query_graph.claims.left_unsaid import (
    ALL_OR_ONLY,
    left_unsaid,
    uncompared,
    unequated,
    unsaid_manner,
)
from triplewise.tools.query_graph.claims.longer_ways import longer_way, of_another, of_relative, unsaid_way
from triplewise.tools.query_graph.claims.mere_existence import speaks_of_else
from triplewise.tools.query_graph.claims.unfound_subjects import unfound_subject
from triplewise.tools.query_graph.claims.unknown_ties import unknown_tie
from triplewise.tools.query_graph.claims.unsaid_kinds import other_object, unsaid_kind
from triplewise.tools.query_graph.claims.unused_names import unused_name
from triplewise.tools.query_graph.claims.unused_values import unused_value
from triplewise.tools.query_graph.linking.unknown_objects import object_left_out, unknown_objects
from triplewise.tools.query_graph.linking.unlike_names import unlike_names
from triplewise.tools.query_graph.turned_claims.extremes import EXTREME
from triplewise.tools.query_graph.wording.ordinals import with_days_in_digits
from triplewise.tools.text.yes_no import may_be_answered_yes
from triplewise.types import Verdict

if TYPE_CHECKING:
    from triplewise.tools.query_graph.ranker import Reader


def doubt(text: str, query: QueryGraph, verdict: Verdict, reader: Reader, *, closed_world: bool = False) -> str:
    """Why the verdict that a claim's reading has leaves the claim open, as a sentence; "" where it counts.

    ``closed_world``: each claim is to have a verdict, so that a thing which its reading passes over is no doubt.
    """
    words, text = reader.words, reader.generator.dated(with_days_in_digits(text))
    if reader.open_states.claims(text, query):
        return ""
    query = _of_one_relation_each(query, reader)
    found = verdict == ("refuted" if query.denied else "supported")
    if found:  # what matched may be too little
        more = (
            left_unsaid(text, query, words)
            or unused_value(text, query, words.names)
            or denied_yes(text, query, words.names)
            or of_another(text, query, words)
            or of_relative(text, query, words)
            or ("out" if reader.wording.lending.leaves_out(text, query) else "")
            or ("" if closed_world else unused_name(text, query, words.names))
            or ("" if closed_world else unsaid_kind(text, query, words, reader.affinity(text)))
        )
    else:
        more = ""
    if not (more or closed_world):
        near = reader.affinity(text)
        objects = unknown_objects(text, words, near)
        others = unlike_names(text, words)
        more = (
            unfound_subject(text, query, words, near)
            or longer_way(text, query, words, reader.row_ends.persons)
            or unsaid_way(text, query, words)
            or not_counted(text, query, words, reader.row_ends.persons, near)
            or object_left_out(query, objects, words)
            or next((others[e] for e in query.entities if e in others), "")
        )
    more = more or other_object(text, query, words, reader.alike)
    asked = may_be_answered_yes(text)
    more = (
        more
        or unsaid_manner(text, query, words)
        or unequated(text, query, words)
        or uncompared(text, query, words)
        or value_of_else(text, query, words.names)
    )
    more = more or value_of_name(text, query, words.names)
    more = more or speaks_of_else(text, query, words, reader.affinity, asked=asked)
    more = more or unknown_tie(text, query, words, reader.row_ends.persons, reader.affinity, found=found)
    return in_plain_words(more) if more else ""


def _of_one_relation_each(query: QueryGraph, reader: Reader) -> QueryGraph:
    """A query with the first of several relations where it says any of them: that somebody is a daughter or a son says
    what the one and the other says."""

    def first(patterns: Sequence[Pattern]) -> tuple[Pattern, ...]:
        known = reader.store.relation_ids
        return tuple(replace(p, relation=alternatives(p.relation, known)[0]) for p in patterns)

    return replace(query, patterns=first(query.patterns), minus=first(query.minus))


def in_plain_words(word: str) -> str:
    """What is missing where a reading does not hold a word of a claim."""
    if ALL_OR_ONLY.fullmatch(word):
        only = word.lower() == "only"
        return f"What was found does not show {'that there are no others' if only else 'it of all, only of some'}."
    if word.lower() in ("than", "then"):
        return "What was found does not compare the two."
    if EXTREME.fullmatch(word):
        which = "has" if word.lower() in ("most", "least", "fewest") else "is"
        return f"What was found does not show which {which} the {word.lower()}."
    return f"What was found does not say {word!r}."
