"""The noun that a claim of all is about, and where it ends with all that narrows it: "all taps on Harrow Lane | leak",
"every jug glazed in Honey | is brown"."""

from __future__ import annotations

from collections.abc import Sequence

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import Word, folded_words, same_word, words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.verb_forms import is_participle, is_past

_LINKING = frozenset(("in", "on", "at", "of", "from", "with", "by", "near", "for", "to", "under"))
_RELATIVE = frozenset(("that", "who", "which", "whose", "where"))
_FINITE = frozenset(("is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "can"))
_CLAUSES = frozenset(("and", "or", "but", "because", "when", "if", "while", "until", "so"))
"""Words after which a verb may be another clause's."""
_KINDLESS = frozenset(("what", "who"))
"""What "everything" and "everyone" are asked for with."""


def noun_of(schema: SchemaView, sentence: Sentence, draft: Draft) -> tuple[str, int]:
    """The kind that a question is about, and where its noun with all that narrows it ends; "" where that is unclear."""
    words = words_in(sentence.text)
    if words[0].text in _KINDLESS:
        verb = _main_verb(words, 1, _verbs(schema, draft))
        return (_kind_found(schema, draft), words[verb].start) if verb is not None and verb > 1 else ("", 0)
    kind, (first, last) = min(sentence.classes.items(), key=lambda c: c[1], default=("", (0, 0)))
    named = {at for i in draft.links for at in range(sentence.links[i].first, sentence.links[i].last + 1)}
    values = [sentence.values[i] for i in draft.values]
    named |= {at for at, word in enumerate(words) if any(v.start <= word.start < v.end for v in values)}
    said = {name for _, r, _ in draft.rows if r in schema.relations for name in folded_words(schema.words(r))}
    if not kind or any(at not in named and words[at].text not in said for at in range(1, first)):
        short = [c for c in schema.classes if (w := words_of_class(schema, c)) and same_word(w[-1], words[1].text)]
        kind, first, last = short[0] if len(short) == 1 else "", 1, 1  # of the only water taps one says "the taps"
    following = words[last + 1].text if last + 1 < len(words) else ""
    if not kind:
        return "", 0
    if (verb := _main_verb(words, last + 1, _verbs(schema, draft))) is not None:
        return kind, words[verb].start
    if following in _RELATIVE:
        return "", 0
    if following in _LINKING and (verb := _behind_phrase(sentence, draft, words, last + 1)) is not None:
        return kind, words[verb].start
    at_end = named & {len(words) - 1} or any(v.end >= words[-1].end for v in sentence.values)
    if following in _LINKING and not at_end:
        return "", 0  # "are all plots on Harrow Lane rented": where the noun ends is not told
    return kind, words[last].end


def _behind_phrase(sentence: Sentence, draft: Draft, words: Sequence[Word], start: int) -> int | None:
    """The verb right behind a preposition and the thing that it leads to: "plots in Steinfeld | lie below 300 m"."""
    begins = {start + 1, start + 2} if words[start + 1 : start + 2] and words[start + 1].text == "the" else {start + 1}
    ends = [x.last for x in (sentence.links[i] for i in draft.links) if x.first in begins]
    verb = ends[0] + 1 if ends else len(words)
    if verb >= len(words) - 1 or words[verb].text in _LINKING | _RELATIVE | _CLAUSES or is_participle(words[verb].text):
        return None
    return verb


def end_of_valued_group(sentence: Sentence, draft: Draft) -> int:
    """Where a noun ends that is no class, but a value which the things of a question have: "which students | live in
    Ufer", of people whose membership is Student; 0 where there is none."""
    words = words_in(sentence.text)
    tails = {t for h, _, t in draft.rows if h == 0 and isinstance(t, str)}
    for link in (sentence.links[i] for i in draft.links):
        if link.first != 1 or link.node not in tails or link.last + 1 >= len(words):
            continue
        said, following = words[link.last].text, words[link.last + 1].text
        singular = said == folded_words(link.name)[-1]
        if not singular or following in _FINITE or following.endswith(("s", "ed")):
            return words[link.last].end
    return 0


def _verbs(schema: SchemaView, draft: Draft) -> frozenset[str]:
    """The verbs by which the relations of a draft are called: "lives in", "live in", "sold out"."""
    first = {w.text for _, r, _ in draft.rows if r in schema.relations for w in words_in(schema.words(r))[:1]}
    present = {verb for verb in first if len(verb) > 3 and verb.endswith("s") and not verb.endswith("ss")}
    past = {verb for verb in first if is_past(verb) or is_participle(verb)}
    return frozenset(present | {verb[:-1] for verb in present} | past)


def _main_verb(words: Sequence[Word], start: int, own: frozenset[str]) -> int | None:
    """Where a noun's own verb stands, behind what narrows the noun; None where that is not told. ``own``: verbs that
    what is claimed has of its own: "everyone on the committee lives in Kirkby"."""
    verbs = [at for at in range(start, len(words)) if words[at].text in _FINITE]
    if not verbs:
        verbs = [at for at in range(start, len(words)) if words[at].text in own]
    if not verbs or verbs[0] == start:
        return verbs[0] if verbs else None
    if words[start].text in _RELATIVE:  # a relative clause has a verb of its own
        relative = verbs[0] == start + 1 or words[start].text == "whose"
        return verbs[1] if relative and len(verbs) == 2 else verbs[0] if len(verbs) == 1 and not relative else None
    between = {words[at].text for at in range(start, verbs[0])}
    return None if between & (_CLAUSES | _RELATIVE) else verbs[0]


def _kind_found(schema: SchemaView, draft: Draft) -> str:
    """The one kind of what a draft finds, or would find if anything were so."""
    found = draft.answers
    for h, r, t in draft.rows if not found else ():
        if 0 in (h, t) and h != t:
            starts = schema.starts(Step(r, inverse=t == 0))
            found = found & starts or starts
    kinds = {schema.kinds(node)[:1] for node in found}
    only = kinds.pop() if len(kinds) == 1 else ()
    return only[0] if only and only[0] in schema.classes else ""
