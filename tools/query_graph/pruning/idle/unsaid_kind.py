""" "What did we buy in 2022?" asks for no kind of things: not for the disks alone, where other things were bought."""

from __future__ import annotations

import re

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, said
from triplewise.tools.query_graph.schema_view import SchemaView

_OF_NO_KIND = re.compile(
    r"\W*(?:(?:and|so|but|ok|now)\W+)*(?:what|which)\s+(?:all\s+|else\s+)?"
    r"(?:did|do|does|was|were|has|have|had|is|are|can|could|will|would|must|should)\b",
    re.I,
)


def of_unsaid_kind(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those of a kind that the sentence does not say, where one says the same of any thing."""
    if not _OF_NO_KIND.match(sentence.text):
        return drafts
    of_any = {said(draft) for draft in drafts if not draft.kind}

    def is_narrower(draft: Draft) -> bool:
        row = (0, TYPE, draft.kind)
        return bool(draft.kind) and draft.kind not in draft.classes and said(draft, row) in of_any

    return [draft for draft in drafts if not is_narrower(draft)]
