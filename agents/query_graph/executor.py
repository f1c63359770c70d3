"""Execute the chosen reading: answers or a verdict with proofs, and the reading in words beside the runners-up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from triplewise.agents.context import NodeContext
from triplewise.agents.node import Node, node
from triplewise.agents.query_graph.state import QueryGraphState, ScoredReading
from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line, quote_literal
from triplewise.kg.query.execute import Execution, execute
from triplewise.kg.query.graph import QueryGraph
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.claims.direct_claims import says_more
from triplewise.tools.query_graph.claims.doubts import doubt
from triplewise.tools.query_graph.claims.lacking import what_is_missing
from triplewise.tools.query_graph.claims.left_open import left_open
from triplewise.tools.query_graph.claims.verdict import Judge
from triplewise.tools.query_graph.linking.value_mentions import find_values
from triplewise.tools.query_graph.nameless import told_name
from triplewise.tools.query_graph.ranker import WEIGHTS
from triplewise.tools.query_graph.readback import read_back
from triplewise.tools.query_graph.wording.amounts.reckoning import asked_reckoning
from triplewise.tools.store_views import near_of, reader_for, view_of
from triplewise.tools.text.yes_no import asks_openly, denies
from triplewise.types import Answer, Evidence, Reading, Step, Triple

SILENT = "The graph does not tell."
UNSURE = "Not sure what is meant."
NOTHING = "The graph does not say."
NO_NUMBERS = "no numbers were found that could be added up for this."
ANOTHER_WAY = "the sentence can be read in another way as well: see the other readings."
_SURELY_MEANT = 0.3
"""The probability of the first reading from which on it refutes a claim without any triple that proves it."""
_ABOUT_AS_LIKELY = 0.5
"""Share of the first reading's probability from which on another one is about as likely: of 160 training claims of
FactKG 114 are right with it instead of 101, as with any from 0.3 on."""
_LOOKED_AT = 12
"""Readings of which it is looked up what they would answer, at most."""
_TOLD = 20
"""Answers that are told of a reading."""
_RECKONED = ("total", "average", "span")
"""Forms whose answers are amounts."""
_VERDICT_WORDS = {"supported": "Supported", "refuted": "Refuted", "not_enough_evidence": "Not enough evidence"}


@dataclass(frozen=True, slots=True)
class ExecutorOptions:
    """Which reading is executed, when nothing is answered, and what is reported beside the answer."""

    reading: int = 1
    """The reading that is executed, counted from 1, the likeliest first."""
    shown: int = 4
    """Other readings that are reported, each with what it would answer."""
    none_above: float = 0.5
    """The probability of "none of these" from which on nothing is answered: from here it is the likelier one."""
    unsure_above: float = 0.15
    """The probability of the first reading from which on a question that is not answered is said to be unclear; below,
    the graph is said not to tell."""
    close: float = 0.1
    """The lead over the second reading, in probability, below which a warning names that other reading."""
    closed_world: bool = False
    """Refute claims that the graph does not hold, instead of leaving them open."""
    max_answers: int = 200
    """Answers with a proof each; a larger set is cut, and a warning says so."""
    ranker: Path = WEIGHTS
    """The file of the ranker that found the readings: what it read off the graph is used again."""


def make_reading_executor(options: ExecutorOptions | None = None) -> Node[QueryGraphState, QueryGraphState]:
    """The node ``execute_reading``: reads ``readings``; gives answers or a verdict with evidence, and the reading."""
    options = options or ExecutorOptions()

    @node
    async def execute_reading(state: QueryGraphState, context: NodeContext) -> QueryGraphState:
        started = time.perf_counter()
        update = await asyncio.to_thread(_execute, context.kg, state, options)
        step = Step(
            "execute_reading", note=update.pop("note"), detail={"reading": update["text"]},
            seconds=time.perf_counter() - started,
        )  # fmt: skip
        return cast(QueryGraphState, {**update, "steps": [step]})

    return execute_reading


def _execute(kg: KGStore, state: QueryGraphState, options: ExecutorOptions) -> dict[str, Any]:
    kg, question = view_of(kg), state.get("question", "")
    near = near_of(kg, question, weights=options.ranker)
    readings, task = state.get("readings", ()), state.get("task", "ask")
    none = state.get("none_probability", 0.0)
    if options.reading > max(1, len(readings)):
        raise ConfigError(f"there is no reading {options.reading}; there are {len(readings)}.", "Take --reading 1.")

    @cache
    def judge() -> Judge:
        reader = reader_for(kg, question, weights=options.ranker)
        return Judge(reader.schema, closed_world=options.closed_world, places=reader.settler.places)

    def is_person(node: str) -> bool:
        return reader_for(kg, question, weights=options.ranker).row_ends.persons.sure(node) == "person"

    def read(number: int) -> Reading:
        return _shown(kg if number == options.reading else near, readings[number - 1], number, judge, is_person)

    shown = _offered(map(read, range(1, min(len(readings), _LOOKED_AT) + 1)), options.shown + 1)
    if not readings or (options.reading == 1 and none > options.none_above):
        perhaps = bool(readings) and readings[0].probability > options.unsure_above
        text = "Not enough evidence" if task == "verify" else UNSURE if perhaps else SILENT
        computed = asked_reckoning(question)
        update = _silent(task, shown, text)
        if task == "verify" and options.closed_world:
            update = {**update, **_closed(update, denied=bool(cues.DENIED.search(question)))}
        return {**update, "warnings": [NO_NUMBERS] if computed and computed.surely else []}
    taken = options.reading
    if options.closed_world and task == "verify" and taken == 1:
        taken = _held(readings, shown, judge(), question)
    chosen = readings[taken - 1]
    own = next((r for r in shown if r.number == taken), None) or read(taken)
    others = _offered((own, *shown), options.shown + 1)[1:]
    margin = chosen.probability - max((r.probability for r in others), default=0.0)
    claims = task == "verify" or chosen.query.form == "ask" or chosen.query.compare is not None
    update = _verdict(kg, chosen, judge()) if claims else _answers(kg, chosen, options)
    if update.get("verdict") in ("supported", "refuted"):
        reader = reader_for(kg, question, weights=options.ranker)
        if why := doubt(question, chosen.query, update["verdict"], reader, closed_world=options.closed_world):
            update = _open(why)
    unproven = update.get("verdict") == "refuted" and not update["evidence"] and not options.closed_world
    if unproven and options.reading == 1 and chosen.probability < _SURELY_MEANT:
        update = _open(NOTHING)  # that nothing is so of what is hardly meant says little
    if task == "verify" and options.closed_world and update["verdict"] == "not_enough_evidence":
        update = {**update, **_closed(update, denied=chosen.query.denied)}
    asked = asks_openly(question)
    if claims and task == "ask":
        supported = asked and update["verdict"] == "supported"
        open_one = left_open(judge().schema, chosen.query) if supported else None
        if open_one is None:
            update, asked = _yes_or_no(update), False
        else:
            chosen = replace(chosen, query=open_one)
            update, own = _answers(kg, chosen, options), _shown(kg, chosen, options.reading, judge, is_person)
    if asked and task == "ask" and update["answers"] and not any(denies(a.label) for a in update["answers"]):
        update["text"] = f"Yes: {update['text']}"
    warnings = list(update.pop("warnings", []))
    if margin < options.close and others and options.reading == 1 and others[0].answers != own.answers:
        warnings.append(ANOTHER_WAY)
    return {**update, "reading": own, "other_readings": others, "margin": margin, "warnings": warnings}


def _held(readings: Sequence[ScoredReading], shown: Sequence[Reading], judge: Judge, text: str) -> int:
    """The number of the reading by which a claim is judged in a closed world. Each misreading refutes there, so that
    one which the graph holds and that is about as likely goes before one that it lacks."""
    first = readings[0]
    verdict, done, _ = judge.verdict(first.query)
    if verdict == "refuted" and not done.found:
        values = find_values(text)
        for other in shown[1:]:
            filters = [(f.op, f.right) for f in readings[other.number - 1].query.filters]
            likely = other.probability >= _ABOUT_AS_LIKELY * first.probability
            if other.answers == ("supported",) and likely and not says_more(filters, text, values):
                return other.number
    return 1


def _offered(readings: Iterable[Reading], most: int) -> tuple[Reading, ...]:
    """The first ``most`` readings of which none reads as one before it, or answers the same: which of their queries is
    meant cannot be told by the words, or need not be told. Of claims some have the same verdict, and another proof."""
    offered: list[Reading] = []
    told: set[object] = set()
    for reading in readings:
        claims = "ask" in reading.query or "compare" in reading.query
        same = {reading.text} if claims or len(reading.answers) == _TOLD else {reading.text, frozenset(reading.answers)}
        if told.isdisjoint(same):
            offered.append(reading)
        told |= same
        if len(offered) == most:
            break
    return tuple(offered)


def _silent(task: str, shown: Sequence[Reading], text: str) -> dict[str, Any]:
    note = "no reading of the sentence over this graph is likely enough"
    return {
        "answers": (), "evidence": (), "citations": (), "text": text, "reason": note, "note": note,
        "verdict": "not_enough_evidence" if task == "verify" else None, "other_readings": shown,
        "reading": None, "margin": None,
    }  # fmt: skip


def _evidence(proofs: Sequence[Sequence[Triple]]) -> tuple[tuple[Evidence, ...], list[tuple[int, ...]]]:
    """The triples of all proofs, each once, and per proof the positions of its own."""
    position: dict[Triple, int] = {}
    cited = [tuple(position.setdefault(t, len(position)) for t in proof) for proof in proofs]
    return tuple(Evidence(t, origin="query graph") for t in position), cited


def _answers(kg: KGStore, chosen: ScoredReading, options: ExecutorOptions) -> dict[str, Any]:
    done = execute(kg, chosen.query)
    warnings = ["the join was cut at its cap: answers may be missing."] if done.truncated else []
    found = done.found
    if len(found) > options.max_answers:
        warnings.append(f"{len(found)} answers; proofs are given for the first {options.max_answers}.")
    evidence, cited = _evidence([f.proof for f in found[: options.max_answers]])
    citations = tuple(range(len(evidence)))
    if chosen.query.form == "count":
        number = str(done.number)
        answers = (Answer(quote_literal(number), number, citations),)
        return {
            "answers": answers, "evidence": evidence, "citations": citations, "text": number,
            "note": f"counted {number}", "warnings": warnings,
        }  # fmt: skip
    cited += [()] * (len(found) - len(cited))
    answers = tuple(
        Answer(f.id, kg.display(f.id) if kg.has_entity(f.id) else kg.label(f.id), c)
        for f, c in zip(found, cited, strict=True)
    )
    if done.amounts:
        amounts = tuple(Answer(quote_literal(amount), amount, citations) for amount in done.amounts)
        return {
            "answers": amounts, "evidence": evidence, "citations": citations, "text": _listed(done.amounts),
            "note": f"{chosen.query.form} of {done.number} {'days' if chosen.query.span else 'numbers'}",
            "warnings": warnings,
        }  # fmt: skip
    if not answers or chosen.query.form in _RECKONED:
        apart = "the numbers have different units" if answers else "the graph holds no such triple"
        return {
            "answers": (), "evidence": (), "citations": (), "text": SILENT,
            "reason": apart, "note": "the reading has no answer", "warnings": warnings,
        }  # fmt: skip
    return {
        "answers": answers, "evidence": evidence, "citations": citations, "text": _listed([a.label for a in answers]),
        "note": f"{len(answers)} answers", "warnings": warnings,
    }  # fmt: skip


def _verdict(kg: KGStore, chosen: ScoredReading, judge: Judge) -> dict[str, Any]:
    verdict, done, against = judge.verdict(chosen.query)
    proof = _proof_of(done, against, verdict)
    evidence, _ = _evidence([proof])
    said = "; ".join(
        f"{one_line(told_name(kg, t.head))} – {kg.relation_label(t.relation)} – {one_line(told_name(kg, t.tail))}"
        for t in proof[:4]
    )
    reason = f"The graph says: {said}." if said else _absent(kg, chosen.query, judge)
    if verdict == "not_enough_evidence":
        return _open(what_is_missing(kg, chosen.query) or NOTHING)
    return {
        "verdict": verdict, "evidence": evidence, "citations": tuple(range(len(evidence))), "answers": (),
        "reason": reason, "text": f"{_VERDICT_WORDS[verdict]}. {reason}", "note": verdict,
    }  # fmt: skip


def _absent(kg: KGStore, query: QueryGraph, judge: Judge) -> str:
    """Why a verdict without a triple is none the less one: what is missing would be listed."""
    lists = " and ".join(repr(one_line(kg.relation_label(r))) for r in query.relations if r in kg.relation_ids())
    if judge.closed_world or not lists or judge.says_nobody(query):
        return "The graph holds no such triple."
    return f"The graph holds no such triple, and what it lists under {lists} looks complete."


def _open(reason: str) -> dict[str, Any]:
    return {
        "verdict": "not_enough_evidence", "evidence": (), "citations": (), "answers": (), "reason": reason,
        "text": f"{_VERDICT_WORDS['not_enough_evidence']}. {reason}", "note": "not_enough_evidence",
    }  # fmt: skip


def _closed(update: dict[str, Any], *, denied: bool) -> dict[str, Any]:
    """What a claim that stays open becomes where the graph tells all there is: what it does not tell is not so."""
    verdict = "supported" if denied else "refuted"
    return {"verdict": verdict, "text": f"{_VERDICT_WORDS[verdict]}. {update['reason']}", "note": verdict}


def _yes_or_no(update: dict[str, Any]) -> dict[str, Any]:
    """A verdict as the answer to a question."""
    said = {"supported": "yes", "refuted": "no"}.get(update["verdict"])
    if not said:
        return {**update, "verdict": None, "text": f"{SILENT} {update['reason']}".removesuffix(f" {NOTHING}")}
    answer = Answer(quote_literal(said), said, update["citations"])
    return {**update, "verdict": None, "answers": (answer,), "text": f"{said.capitalize()}. {update['reason']}"}


def _proof_of(done: Execution, against: Sequence[Triple], verdict: str) -> tuple[Triple, ...]:
    if verdict == "not_enough_evidence":
        return ()
    if done.found:
        return tuple(dict.fromkeys(t for f in done.found[:10] for t in f.proof))
    return tuple(against)


def _shown(
    kg: KGStore, reading: ScoredReading, number: int, judge: Callable[[], Judge], is_person: Callable[[str], bool]
) -> Reading:
    query = reading.query
    if query.form == "ask" or query.compare:
        answers: tuple[str, ...] = (judge().verdict(query)[0],)
    else:
        done = execute(kg, query, max_rows=5_000)
        answers = (
            (str(done.number),) if query.form == "count" else tuple(one_line(kg.label(i)) for i in done.ids[:_TOLD])
        )
        if query.form in _RECKONED:
            answers = done.amounts
    return Reading(read_back(kg, query, is_person), query.to_json(), answers, reading.probability, number)


def _listed(labels: Sequence[str], shown: int = 10) -> str:
    more = f" and {len(labels) - shown} more" if len(labels) > shown else ""
    return ", ".join(labels[:shown]) + more
