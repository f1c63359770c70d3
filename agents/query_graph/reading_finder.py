"""Link the sentence, let the graph propose query graphs, and rank them: no call of a chat model."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triplewise.agents.assistant.namesakes import ambiguous_entities
from triplewise.agents.context import NodeContext
from triplewise.agents.entity_linker import check_question
from triplewise.agents.node import Node, node
from triplewise.agents.query_graph.state import QueryGraphState, ScoredReading
from triplewise.kg.base import KGStore
from triplewise.kg.linking import resolve_entity
from triplewise.kg.names import one_line
from triplewise.kg.query import QueryGraph
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.ranker import SHORTLIST, WEIGHTS
from triplewise.tools.query_graph.ranking import Ranking
from triplewise.tools.store_views import reader_for, view_of
from triplewise.tools.text.existential import asked_thing
from triplewise.tools.text.further_questions import not_answered
from triplewise.tools.text.relative_days import not_taken_in
from triplewise.tools.text.yes_no import asks_for_things, asks_yes_or_no, claim_in
from triplewise.types import Step

_NO_CLAIM = "this is a question, and no claim that is true or false; ask answers it."
_WHOLE = 0.99
"""The score of a link from which on the whole of a name is said."""


@dataclass(frozen=True, slots=True)
class FinderOptions:
    """How many readings are looked at, and what ranks them."""

    shortlist: int = SHORTLIST
    """Candidates that the encoder reads; the others are dropped by their cheap features."""
    kept: int = 12
    """Readings handed on, the likeliest first; as many as ``choose_reading`` can show."""
    ranker: Path = WEIGHTS
    """The ranker's file, as ``train ranker`` writes it."""
    closed_world: bool = False
    """The graph is complete, so that of a claim what it holds is likelier meant."""


def make_reading_finder(options: FinderOptions | None = None) -> Node[QueryGraphState, QueryGraphState]:
    """The node ``find_readings``: reads ``question``, ``task`` and ``entities``; gives ``readings``.

    Those of a yes-or-no question are the claim's that it asks about; where it asks whether there is anything of a kind,
    those of the question for the thing, as far as the graph holds such a thing.
    """
    options = options or FinderOptions()

    @node
    async def find_readings(state: QueryGraphState, context: NodeContext) -> QueryGraphState:
        started = time.perf_counter()
        kg = await asyncio.to_thread(view_of, context.kg)
        task = state.get("task", "ask")
        question = check_question(state.get("question", ""), task)
        yes_or_no = task == "ask" and asks_yes_or_no(question)
        given = tuple(resolve_entity(kg, name) for name in state.get("entities") or ())

        extreme = ""
        if task == "verify":
            reader = reader_for(kg, question, given, weights=options.ranker)
            question, extreme = await asyncio.to_thread(reader.turner.with_extreme, question)

        def work() -> Ranking:
            reader = reader_for(kg, question, given, weights=options.ranker)
            if yes_or_no:
                if asked := asked_thing(question):
                    found = reader.rank(asked, "ask", given, shortlist=options.shortlist)
                    if _finds_things(kg, found) and not _asks_for_value(found):
                        return found
                return reader.rank(claim_in(question), "verify", given, shortlist=options.shortlist)
            return reader.rank(question, task, given, shortlist=options.shortlist, closed_world=options.closed_world)

        ranking = await asyncio.to_thread(work)
        readings = tuple(
            ScoredReading(r.draft.query(), r.text, r.score, r.probability) for r in ranking.readings[: options.kept]
        )
        entities = given or tuple(dict.fromkeys(e for r in readings[:1] for e in r.query.entities if kg.has_entity(e)))
        step = Step(
            "find_readings",
            note=f"{ranking.generated} candidates, {len(ranking.readings)} read by the ranker",
            detail=_detail(kg, ranking, readings),
            seconds=time.perf_counter() - started,
        )
        warnings = not_answered(question) if task == "ask" else [_NO_CLAIM] if asks_for_things(question) else []
        warnings += not_taken_in(question, map(kg.relation_label, kg.relation_ids()))
        if extreme:
            warnings.append(f"for {extreme.lower()} it was checked that {question.rstrip('.')}.")
        if readings and not given:
            warnings += await asyncio.to_thread(_namesakes, kg, question, readings[0].query, options)
        return {
            "question": question, "entities": entities, "readings": readings, "none_probability": ranking.none,
            "steps": [step], "warnings": warnings,
        }  # fmt: skip

    return find_readings


def _finds_things(kg: KGStore, ranking: Ranking) -> bool:
    """Whether a question for things surely finds some; of a mere yes or no the claim tells more."""
    first = ranking.readings[0].draft if ranking.readings and ranking.none <= 0.5 else None
    return bool(
        first and first.form == "select" and any(parse_value(kg.label(a)).kind != "yes-no" for a in first.answers)
    )


def _asks_for_value(ranking: Ranking) -> bool:
    """Whether the noun of the thing that is asked for is a value: "a pub" is what a mooring has, and no kind of pubs
    that it has some of."""
    at = {first for first, _ in ranking.sentence.classes.values()}
    return any(x.is_value and x.first == 1 and x.score > _WHOLE for x in ranking.sentence.links) and 1 not in at


def _namesakes(kg: KGStore, question: str, query: QueryGraph, options: FinderOptions) -> list[str]:
    """A warning where a name was taken for one of several things that it fits equally well."""
    names = reader_for(kg, question, weights=options.ranker).generator.names
    nodes = ambiguous_entities(kg, names, question, query, set(), claim=query.form == "ask")
    taken = [n for n in nodes if n in query.entities]
    others = [one_line(kg.display(n)) for n in nodes if n not in taken]
    if not taken or not others:
        return []
    return [f"{one_line(kg.display(taken[0]))} was taken to be meant; it may also be {' or '.join(others)}."]


def _detail(kg: KGStore, ranking: Ranking, readings: Sequence[ScoredReading]) -> dict[str, Any]:
    sentence = ranking.sentence
    return {
        "links": [[link.name, kg.display(link.node), round(link.score, 2)] for link in sentence.links],
        "values": [list(v.texts) or [v.low, v.high] for v in sentence.values],
        "classes": [kg.label(c) for c in sentence.classes],
        "readings": [[r.shown, round(r.probability, 3)] for r in readings],
        "none": round(ranking.none, 3),
    }
