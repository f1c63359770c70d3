"""A number that is asked for by what it measures is no other measure: no temperature is told in percent of alcohol, and
the day of a firing is no answer to "how long did the firing take?"."""

from __future__ import annotations

from triplewise.kg.names import literal_parts
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, relation_to
from triplewise.tools.query_graph.linking.mentions import folded_words
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView

_ASKING = frozenset(("who", "whos", "whom", "whose", "which", "what", "whats"))
_AMOUNT = "amount"


def of_asked_measure(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that answer with another measure than is asked for, by a relation of which no word is
    said. Where only these answer with numbers, the graph does not tell."""
    if cues.asks_no_money(sentence.text):
        drafts = [d for d in drafts if not _answers_with_money(schema, d)]
    asked = cues.asked_measures(sentence.text)
    if not asked:
        return drafts
    words = folded_words(sentence.text)

    def is_another(draft: Draft) -> bool:
        if draft.form != "select" or draft.order:
            return False
        told = [r for _, r, t in draft.rows if t == 0 and isinstance(t, int) and schema.value_kind(r) == "number"]
        measured = [cues.measures_of(schema.words(r)) for r in told if not says_relation(schema, words, r)]
        return bool(measured) and all(m and not m & asked for m in measured)

    return [d for d in drafts if not is_another(d)]


def _answers_with_money(schema: SchemaView, draft: Draft) -> bool:
    """Whether a draft's answers are sums of money by their unit, or what one piece costs: "per metre"."""
    relation = relation_to(draft, 0)
    if draft.form not in ("select", "total", "average") or not relation or schema.value_kind(relation) != "number":
        return False
    return folded_words(schema.words(relation))[:1] == ["per"] or any(
        parse_value(schema.label(node)).unit.lower() in cues.CURRENCIES for node in schema.first(draft.answers)[:1]
    )


def asks_for_no_count(sentence: Sentence) -> bool:
    """Whether "who", "which" or "what" begins a question and no word asks for a count: the number in "who gave five
    stars?" is a value."""
    words = folded_words(sentence.text)
    return bool(words) and words[0] in _ASKING and not cues.COUNT.search(sentence.text) and _AMOUNT not in words


def has_asked_measure(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> bool:
    """Whether some draft answers with the measure that is asked for."""
    asked = cues.asked_measures(sentence.text)
    told = {r for d in drafts if d.answers for _, r, t in d.rows if t == 0 and isinstance(t, int)}
    return bool(asked) and any(cues.measures_of(schema.words(r)) & asked for r in told)


def ends_at_point(schema: SchemaView, draft: Draft) -> bool:
    """Whether a draft answers with dates or times of day that tell no duration."""
    told = [relation for _, relation, tail in draft.rows if tail == 0]
    return draft.form == "select" and any(cues.is_point(schema.measure(r), schema.value_kind(r)) for r in told)


def ends_at_thing(schema: SchemaView, draft: Draft) -> bool:
    """Whether a draft answers with things of which the graph tells more, which are no duration."""
    first = schema.first(draft.answers)[:5] if draft.form == "select" else ()
    return bool(first) and all(not literal_parts(node) and schema.store.out_relations(node) for node in first)
