"""A date that is said of what is asked for is its own: "performances on 12 March" are those of that day, and not those
of a production that opened then."""

from __future__ import annotations

import re
from functools import cache

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import IN_MONTH, IN_NO_MONTH, Draft, End, Row, relation_to
from triplewise.tools.query_graph.linking.mentions import folded_words, words_in
from triplewise.tools.query_graph.pruning.both_said import said_verbs
from triplewise.tools.query_graph.pruning.persons.possessors import BEGINNING, ENDING
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_ON = re.compile(r"(?<!\blater )(?<!\bfrom )(?<!\bearlier )\bon\s+(?:the\s+)?$", re.I)
_RECENT = re.compile(
    r"\b(?:(?:most|least) recent(?:ly)?|latest|newest|earliest)\b|"
    r"^\W*(?:(?:the|our|my) )?(?:very )?last (?:bit|lot|load|batch|thing)\b",
    re.I,
)
"""Asks for an order by dates; "last" and "first" may be places in a race."""
_AGED = re.compile(r"\b(?:old|young|new)e(?:st|r)\b", re.I)
_LATELY = re.compile(
    r"\b(?:last|latest|recent|next|due|until|till|ends?|ended|expir\w+|renew\w*|servic\w+|inspect\w+|review\w*|seen)\b",
    re.I,
)
_STEM = 4
"""Letters that the forms of a word share: "opened", "opening"."""
_THAN = re.compile(r"\bthan\b", re.I)
"""What is named behind it need not have the date itself: "on 10 June, later than OP-241"."""
_WHOLE = 0.99
"""The score of a link from which on the whole of a name is said."""
_TIMES = frozenset(("date", "dates", "day", "days", "night", "time", "year"))
"""Words of relations that do not tell one date from another."""
_UNSAYING = frozenset(("on", "at", "of", "the", "in", "is", "was"))
"""Words of which a relation's name says no date: "on the 20th" names none that is called "on the"."""
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


def on_said_days(_schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that compare with a day behind "on": "on 5 March" is neither before nor after it. All
    where no other uses it."""
    days = {v.low for v in sentence.values if v.kind == "date" and _ON.search(sentence.text[: v.start])}

    def compares(draft: Draft) -> bool:
        told = (*draft.filters, *draft.unsaid)
        return any(op in ("<", ">", "<=", ">=") and isinstance(right, str) and right in days for _, op, right in told)

    left = [draft for draft in drafts if not compares(draft)] if days else drafts
    used = {i for i, v in enumerate(sentence.values) if v.low in days}
    return left if any(used.intersection(draft.values) for draft in left) else drafts


def of_recent(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without orders by what is no date, where the latest or earliest is asked for and some are by dates."""
    if not _RECENT.search(sentence.text):
        return drafts

    def is_dated(draft: Draft) -> bool:
        by = draft.order[0] if draft.order and not draft.order[2] else None
        return by is not None and any(
            by in (h, t) and schema.value_kind(r) in ("date", "year") for h, r, t in draft.rows
        )

    if not any(map(is_dated, drafts)):
        return drafts
    return [draft for draft in drafts if not draft.order or is_dated(draft)]


_MADE = re.compile(
    r"\b(?:made|built|born|birth\w*|dob|came out|released?|published|founded|established|launched|laid|cast|printed|"
    r"recorded|written|constructed|erected|put up|manufactured|hatched|planted|year)\b",
    re.I,
)
_GOT = re.compile(r"\b(?:got|get|bought|acquired|purchased?|arrived)\b", re.I)
"""Of a day on which something was made, or somebody born, and of one on which it was got."""


def of_age(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without orders by the day on which something was last done to things, or is to be, where the oldest
    or the newest is asked for and some are by another day: a service does not tell how old a boat is, nor does the day
    on which it was bought where that is told on which it was built. Since when somebody is a member does not tell how
    old he is."""
    if _HOW_OLD.search(sentence.text):
        drafts = [d for d in drafts if not _ends_at_joining(schema, d)]
    if not _AGED.search(sentence.text):
        return drafts
    by_day = {id(d): r for d in drafts if (r := _ordering(schema, d))}
    words = {i: schema.words(r) for i, r in by_day.items()}
    own = any(not _LATELY.search(text) for text in words.values())
    made = {r for r in by_day.values() if _MADE.search(schema.words(r))}

    def is_another(text: str, relation: str) -> bool:
        got = _GOT.search(text) and relation not in made
        same = got and any(schema.heads(relation) & schema.heads(r) for r in made)  # of what both are told
        return bool((own and _LATELY.search(text)) or same)

    return [d for d in drafts if not (id(d) in by_day and is_another(words[id(d)], by_day[id(d)]))]


_HOW_OLD = re.compile(r"\b(?:how old (?:is|are|was|were)|what age (?:is|are|was|were))\b", re.I)
_JOINING = re.compile(
    r"\b(?:since|join(?:ed|s)|start(?:ed|s)|left|leaves|retired|came|arrived|moved|hired|paid|due|signed|until)\b",
    re.I,
)


def _ends_at_joining(schema: SchemaView, draft: Draft) -> bool:
    """Whether a draft answers with the day or year on which somebody came, and not with that of a birth."""
    relation = relation_to(draft, 0)
    dated = bool(relation) and schema.value_kind(relation) in ("date", "year")
    return dated and bool(_JOINING.search(schema.words(relation)))


def _ordering(schema: SchemaView, draft: Draft) -> str:
    """The relation of the days that a draft orders by; "" where it orders by no days."""
    by = draft.order[0] if draft.order and not draft.order[2] else None
    dated = (r for _, r, t in draft.rows if t == by and by is not None and schema.value_kind(r) in ("date", "year"))
    return next(dated, "")


def of_said_months(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts of the month that a question names, of whatever year; none where the graph tells dates and nothing
    that is asked for was in that month: what befell in August is not all that befell. Where nothing was by the date
    that is said, no other date is meant: who moved in in July was not born then."""
    if not sentence.months or "date" not in map(schema.value_kind, schema.relations) or _of_named(schema, sentence):
        return drafts
    monthly = [d for d in drafts if IN_MONTH in d.extra]
    told = ((id(d), schema.words(d.steps[-1].relation)) for d in monthly if IN_NO_MONTH in d.extra and d.steps)
    none = {i: date for i, date in told if not _UNSAYING.issuperset(folded_words(date))}
    dates = tuple(none.values())
    return [d for d in monthly if id(d) in none or any(text.startswith(dates) for text in d.said)] if dates else monthly


def _of_named(schema: SchemaView, sentence: Sentence) -> bool:
    """Whether the months that a sentence names are those in which a thing that it names is, and say nothing more: "they
    won the quiz in March, Q-13". What Ann did in April is not told by her birthday."""
    named = {x.node for x in sentence.links if x.score > _WHOLE and not x.is_value}
    dates = [
        schema.store.label(t.tail)
        for node in named
        for step in schema.steps(node)
        if not step.inverse and schema.value_kind(step.relation) == "date"
        if _PLAIN.issuperset(folded_words(schema.words(step.relation)))
        for t in schema.store.triples(head=node, relation=step.relation)
    ]
    return all(any(map(month.holds, dates)) for month in sentence.months)


def of_tied_dates(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts by which the day or month that a question names is one of the row that ties what else it says: who
    hired the Heron in April was not trained in April, nor did he hire some other boat then. Where no row of a thing
    that is named was in the month, none is left."""
    days = {i for i, value in enumerate(sentence.values) if value.kind == "date"}
    if not (days or sentence.months) or cues.NEGATED.search(sentence.text) or _THAN.search(sentence.text):
        return drafts
    if sentence.months and not days and _of_named(schema, sentence):
        return drafts
    nodes = {node for i, node in sentence.value_nodes if i in days}
    named = {x.node for x in sentence.links if x.score > _WHOLE and not x.is_value}
    verbs = {verb[:_STEM] for verb in said_verbs(sentence)}

    @cache
    def is_said(relation: str) -> bool:
        names = (n for n in folded_words(schema.words(relation)) if len(n) >= _STEM and n not in _TIMES)
        return any(name[:_STEM] in verbs for name in names)

    @cache
    def has_said(relation: str) -> bool:
        """Whether the rows of a date have a relation of a said verb."""
        rows = schema.starts(Step(relation))
        return any(is_said(step.relation) for row in schema.first(rows)[:1] for step in schema.steps(row))

    def tie(draft: Draft) -> int:
        """How much of what is said the row of the date has: the things that are named, and the relation of a said verb
        ("every animal" says no relation "animal"); -1 where a draft says no date."""
        dated = _dated(schema, draft, nodes)
        things = [{e for h, _, t in draft.rows if row[0] in (h, t) for e in (h, t)} & named for row in dated]
        told = [any(h == row[0] and is_said(r) for h, r, _ in draft.rows) for row in dated]
        ties = zip(dated, things, told, strict=True)
        return max((max(len(found) + said, has_said(row[1])) for row, found, said in ties), default=-1)

    ties = [tie(d) for d in drafts]
    most = max((n for d, n in zip(drafts, ties, strict=True) if d.answers), default=0)
    if most < 1 and sentence.months and named:
        return []
    left = [d for d, n in zip(drafts, ties, strict=True) if n == most] if most > 0 else drafts
    if not BEGINNING.search(sentence.text) or ENDING.search(sentence.text):
        return left
    begins = [d for d in left if not any(ENDING.search(schema.words(r)) for _, r, _ in _dated(schema, d, nodes))]
    return begins if any(d.answers and _dated(schema, d, nodes) for d in begins) else left


def _dated(schema: SchemaView, draft: Draft, nodes: set[str]) -> list[Row]:
    """The patterns of a draft that say a date, as one of these nodes or by a condition."""
    told = {v for v, op, right in (*draft.filters, *draft.unsaid) if op != "not in" and not isinstance(right, int)}
    dated = [row for row in draft.rows if schema.value_kind(row[1]) == "date"]
    return [row for row in dated if row[2] in nodes or row[2] in told]


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


_PLAIN_HOW = re.compile(
    r"(?:^|[,.;:!?]\s+)(?:(?:and|so|but)\s+)*how\s+(?:(?:did|does|do|was|were|is|are|has|have|had)\s+(?!many\b|much\b)\w"
    r"|(?:he|she|it|they|(?-i:(?:[A-ZÀ-ÞŁŠŽ][\w'’-]*\s+){0,2}[A-ZÀ-ÞŁŠŽ][\w'’-]*))\s+\w+(?:ed|d)\b)",
    re.I,
)
""" "How did he die?", and not how long, how old or how many."""


def of_plain_how(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that answer with a day or a year, of a question how something was; all where others
    answer nothing."""
    if not _PLAIN_HOW.search(sentence.text):
        return drafts
    dated = cache(lambda relation: schema.value_kind(relation) in ("date", "year", "time"))

    def tells_when(draft: Draft) -> bool:
        return draft.form == "select" and any(t == 0 and isinstance(t, int) and dated(r) for _, r, t in draft.rows)

    kept = [d for d in drafts if not tells_when(d)]
    return kept if any(d.answers for d in kept) else drafts
