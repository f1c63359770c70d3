"""Where something is: "where is the Snow Bowl?" says nothing of how things are kept, lie or stand, so that its words
are near to no relation. What leads from the thing to a place answers it all the same, whichever of these tells of one.
"""

from __future__ import annotations

import re

from triplewise.kg.query.graph import TYPE
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.linking.said_names import span_of
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.verb_forms import word_set

_WHERE = re.compile(r"\bwhere(?:['’]?s| is| are)\b", re.I)
_BEING = word_set("""
    based kept located stored housed situated held standing living staying lying hanging stationed parked moored now
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
    r"signed|paid|bought|caught|since|due|beg[au]n|begins?|ends?|speciali[sz]es|interested|took|takes)\b",
    re.I,
)
"""Relations to places, and days, at which something was or happened."""


def asks_whereabouts(schema: SchemaView, sentence: Sentence) -> bool:
    """Whether a question asks where a thing that it names is, and nothing else."""
    if not _WHERE.search(sentence.text):
        return False
    words = words_in(sentence.text)
    spans = [span_of(schema, link, words) for link in sentence.links]
    named = {i for first, last in spans if first >= 0 for i in range(first, last + 1)}
    rest = [w.text for i, w in enumerate(words) if i not in named]
    return bool(named) and all(word in STOP_WORDS or word in _BEING for word in rest)


def tells_whereabouts(schema: SchemaView, draft: Draft) -> bool:
    """Whether a draft is one step from a thing that is named to where it is, and the graph tells it."""
    rows = [row for row in draft.rows if row[1] != TYPE]
    if draft.form != "select" or not draft.answers or draft.minus or draft.order or len(rows) != 1:
        return False
    [(head, relation, tail)] = rows
    words = schema.words(relation)
    place = bool(_PLACE.search(words)) and not _PAST.search(words) and schema.value_kind(relation) in (None, "", "text")
    return place and isinstance(head, str) and tail == 0
