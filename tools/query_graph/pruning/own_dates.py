"""A date that is said of what is asked for is its own: "performances on 12 March" are those of that day, and not those
of a production that opened then."""

from __future__ import annotations

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End
from triplewise.tools.query_graph.linking.mentions import folded_words, words_in
from triplewise.tools.query_graph.schema_view import SchemaView

_STEM = 4
"""Letters that the forms of a word share: "opened", "opening"."""
_TIMES = frozenset(("date", "dates", "day", "days", "night", "time", "year"))
"""Words of relations that do not tell one date from another."""
_PLAIN = _TIMES | frozenset(("on", "at", "of", "the", "held", "takes", "took", "place", "happened", "is", "was"))
"""Words of relations that tell when a thing is, and not when something befell it, as the birth of a visitor."""


def of_own_dates(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that say a date of another thing than what is asked about, by a relation of which no
    word is said, where some say it of the thing itself."""
    days = {i for i, value in enumerate(sentence.values) if value.kind == "date"}
    if not days:
        return drafts
    nodes = {node for i, node in sentence.value_nodes if i in days}
    texts = {sentence.values[i].low for i in days}
    words = [w.text for w in words_in(sentence.text)]
    told = [_told(schema, draft, nodes, texts) for draft in drafts]
    own = {key for key, at_hand, r in told if at_hand and _PLAIN.issuperset(folded_words(schema.words(r)))}

    def is_of_another(key: End, at_hand: bool, relation: str) -> bool:
        if at_hand or not relation or key not in own:
            return False
        names = (n for n in folded_words(schema.words(relation)) if len(n) >= _STEM and n not in _TIMES)
        return not any(n[:_STEM] == w[:_STEM] for n in names for w in words)

    return [draft for draft, found in zip(drafts, told, strict=True) if not is_of_another(*found)]


def _told(schema: SchemaView, draft: Draft, nodes: set[str], texts: set[str]) -> tuple[str, bool, str]:
    """(what a draft answers with, whether it says the day of that itself, the relation that it says the day by)."""
    ordered = {v for v, _, right in draft.filters if right in texts}
    row = next((row for row in draft.rows if row[2] in nodes or row[2] in ordered), None)
    if row is None or draft.order:
        return "", False, ""
    by = next((r for h, r, t in draft.rows if t == 0 and isinstance(t, int) and schema.value_kind(r)), "")
    about: End = next((h for h, r, t in draft.rows if by and r == by and t == 0), 0)
    kinds = () if by else sorted({k for n in schema.first(draft.answers)[:1] for k in schema.kinds(n)})
    return f"{draft.form} {by} {' '.join(kinds)}", row[0] == about, row[1]
