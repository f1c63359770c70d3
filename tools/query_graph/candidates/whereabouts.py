"""Where something is, and whose: "where is the Snow Bowl?" says nothing of how things are kept, lie or stand, so that
its words are near to no relation. What leads from the thing to a place answers it all the same, whichever of these
tells of one; so does what leads to a customer or an owner where it is asked whose it is.
"""

from __future__ import annotations

import re

from triplewise.kg.query.graph import TYPE
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.linking.said_names import span_of
from triplewise.tools.query_graph.linking.value_mentions import MONTHS
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.verb_forms import word_set

_WHERE = re.compile(
    r"\bwhere(?:['’]?s| is| are|(?:['’]ve| have| has| did)(?: (?:we|you|i|they|he|she|somebody|someone))?(?= put\b)|"
    r"(?: do(?:es)?| can)(?: (?:we|you|i|they|he|she|one))(?= (?:keep|find|put|store)\b)|"
    r" do(?:es)?(?: (?:the|our|my))?(?= \w+ (?:live|go|sit|stand|belong)\b))\b",
    re.I,
)
_BEING = word_set("""
    based kept located stored housed situated held standing living staying lying hanging stationed parked moored now
    live go sit stand belong
    tucked stashed stowed hidden away squirrelled kept put keep store find moment present has ve
    again currently exactly please right these days then hello hi hey ok okay sorry well dear nowadays presently
""")
"""What may be said beside the thing that is looked for."""
_PLACE = re.compile(
    r"(?:^|\s)(?:in|at|(?:sits|stands|lies|hangs|hung|is|placed|mounted) on|near|beside|inside|location|place|address|"
    r"site|room|town|city|village|district|street|branch|depot|base|shelf|store|rack|home|harbour|port|whereabouts)$",
    re.I,
)
_PAST = re.compile(
    r"\b(?:born|died|buried|made|built|found|shown|shot|published|written|listed|trained|studied|married|taught|arrived|"
    r"signed|paid|bought|caught|since|due|flowers|blooms|ripens|beg[au]n|begins?|ends?|speciali[sz]es|interested|took|takes)\b",
    re.I,
)
"""Relations to places, and days, at which something was or happened."""
_WHOSE = re.compile(r"^\W*(?:(?:and|so|but|then|ok|hey|hi)\W+)*whose\b", re.I)
_OWNING = re.compile(
    r"(?:^|\s)(?:owner|owned by|owns|belongs to|customer|client|patient|borrower|holder|member|keeper|tenant|buyer|"
    r"guest|user|used by|has|for|pupil|student|learner|player|trainee|"
    r"(?:taken|booked|hired|rented|bought|ordered) by)$",
    re.I,
)
_WHO_IS = re.compile(
    r"^\W*(?:(?:and|so|but|then|ok|hey|hi)\W+)*who(?:['’]?s| is| are| was| were| does| did| do| have)\b", re.I
)
_DOING = frozenset(("doing", "got", "for"))
_WHOLE = 0.99
"""The score of a link from which on the whole of a value is said."""
_ASKED = frozenset(("whose", "that", "this"))


def asks_whereabouts(schema: SchemaView, sentence: Sentence) -> bool:
    """Whether a question asks where a thing that it names is, and nothing else."""
    return bool(_WHERE.search(sentence.text)) and _says_no_more(schema, sentence, _BEING)


def asks_whose(schema: SchemaView, sentence: Sentence) -> bool:
    """Whether a question asks whose a thing that it names is, and nothing else."""
    return bool(_WHOSE.search(sentence.text)) and _says_no_more(schema, sentence, _ASKED)


def asks_who_is(schema: SchemaView, sentence: Sentence) -> bool:
    """Whether a question asks who has a value that it names, and nothing else: "who's the band?", "who does the
    flowers?" """
    value = any(x.is_value and x.score > _WHOLE for x in sentence.links)
    return value and bool(_WHO_IS.search(sentence.text)) and _says_no_more(schema, sentence, _DOING)


def _says_no_more(schema: SchemaView, sentence: Sentence, besides: frozenset[str]) -> bool:
    """Whether a sentence has hardly a word besides what it names, a thing or a class, and names something."""
    words = words_in(sentence.text)
    spans = [*(span_of(schema, link, words) for link in sentence.links), *sentence.classes.values()]
    named = {i for first, last in spans if first >= 0 for i in range(first, last + 1)}
    rest = [w.text for i, w in enumerate(words) if i not in named]
    return bool(named) and all(word in STOP_WORDS or word in besides for word in rest)


def tells_whereabouts(schema: SchemaView, draft: Draft) -> bool:
    """Whether a draft is one step from a thing that is named to where it is, and the graph tells it."""
    row = _one_step(draft)
    if row is None or not isinstance(row[0], str):
        return False
    return leads_to_place(schema, row[1]) and not any(schema.label(n).lower() in MONTHS for n in draft.answers)


def leads_to_place(schema: SchemaView, relation: str) -> bool:
    """Whether a relation tells where things are."""
    words = schema.words(relation)
    return bool(_PLACE.search(words)) and not _PAST.search(words) and schema.value_kind(relation) in (None, "", "text")


def tells_who_is(schema: SchemaView, draft: Draft) -> bool:
    """Whether a draft is one step from a value that is named to what has it."""
    row = _one_step(draft)
    return row is not None and row[0] == 0 and schema.value_kind(row[1]) == "text"


def tells_whose(schema: SchemaView, draft: Draft) -> bool:
    """Whether a draft is one step from a thing that is named to whose it is, and the graph tells it."""
    row = _one_step(draft)
    if row is None:
        return False
    words = schema.words(row[1])
    return bool(_OWNING.search(words)) if isinstance(row[0], str) else words.lower() in ("owns", "has", "owner of")


def _one_step(draft: Draft) -> Row | None:
    """The one triple by which a draft answers with the other end of what is named, or of what is of the class that is;
    None for any other."""
    rows = [row for row in draft.rows if row[1] != TYPE]
    if draft.form != "select" or not draft.answers or draft.minus or draft.order or len(rows) != 1:
        return None
    [(head, relation, tail)] = rows
    kinds = {h: t for h, r, t in draft.rows if r == TYPE and h != 0 and t in draft.classes}
    head, tail = kinds.get(head, head), kinds.get(tail, tail)
    told = (isinstance(head, str) and tail == 0) or (isinstance(tail, str) and head == 0)
    return (head, relation, tail) if told else None
