"""KG-GPT's second stage, first half: map each sub-sentence to the top k relations (section 2.2, Table 5).

Candidates come from the graph's schema by Algorithm 1 (appendix B.1) for claims, with entity types on
both sides of a relation, and from the n-hop neighbourhood for questions (B.2); ``SelectorOptions.candidates`` says
how closely. The model only ever chooses among candidates; a relation that was not offered is dropped.

In the short style the model writes nothing: it ranks the candidates R and "none". With log p(r) the log-probability of
r as its reply, sim the embedder's cosine similarity between the sub-sentence without its ends' names and a relation's
label, u = 1 where the model is unsure (log p(r) < SURE for every r in R) and there is an embedder, else 0, and j(r) = 1
where r joins the two named ends of a claim in the graph, else 0::

    score(r)    = log p(r) + u · SIMILARITY_WEIGHT · sim(r) + JOINS · j(r)
    score(none) = log p(none)
                  + u · (NONE_WEIGHT · NONE_SIMILARITY + (SIMILARITY_WEIGHT - NONE_WEIGHT) · sim(r*))

with r* the best r before JOINS is added. So "none" is held against r* by NONE_WEIGHT · (sim(r*) - NONE_SIMILARITY),
and relations against each other by SIMILARITY_WEIGHT. Chosen are the k best with
score(r) ≥ score(first) - MARGINS[task], or no relation where "none" is first. Scores are in units of the natural
logarithm. Each constant says below where it comes from, and ``benchmarks/bench_selection.py --split train`` measures
what each part is worth (docs/decisions/0011-small-models-rank.md).
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from langgraph.types import Send
from numpy.typing import NDArray
from typing_extensions import TypedDict

from triplewise.agents.context import NodeContext
from triplewise.agents.kg_gpt.few_shot import STYLES, shown_examples
from triplewise.agents.node import Node, node
from triplewise.agents.state import AskState, ProvidedBy, SubSentence
from triplewise.agents.style import suited
from triplewise.backends.calling import ParsedReply, ReplyFormat, call_model
from triplewise.errors import ReplyError
from triplewise.kg.base import DirectedRelation, KGStore
from triplewise.prompts.reply_tokens import APART, NONE
from triplewise.prompts.template import load_prompt
from triplewise.tools.retrieval.relation_similarity import relation_similarity
from triplewise.tools.text.relation_text import nearest_relations
from triplewise.types import Step

MOST_OFFERED = 24
"""Most relations that the short style offers; what a trained model saw at most."""
SURE = -0.05
"""A log-probability (of 0.95) from which the model's choice is not questioned. WebQSP's training questions."""
SIMILARITY_WEIGHT = 24.0
"""How the embedder's similarity counts beside a log-probability where relations are compared. Doubled from 12 for
relations that training never saw (docs/results.md, "Relations that training never saw")."""
NONE_WEIGHT = 12.0
"""The same where "none" is compared with the best relation. WebQSP's training questions."""
NONE_SIMILARITY = 0.2
"""What "none" has instead of a similarity: more refuses more questions, those that the graph can answer among them.
A trade between WebQSP's training questions and MetaQA's with the needed relation taken out of the graph."""
MARGINS = {"ask": 5.0, "verify": 2.5}
"""How far behind the first choice others are still taken, by task; set with the weights above."""
JOINS = 8.0
"""What a relation that joins a claim's two named ends gains: the claim most likely speaks of that triple. 400 training
claims of FactKG: 70.8 % right without it, 73.0 % with it."""

Candidates = Literal["facing", "paper", "published"]
Chosen = tuple[str, ...] | dict[str, float]
"""Relation ids, or label → log-probability, "none" among them."""


class SelectionInput(TypedDict):
    """What a branch of the fan-out gets: all sub-sentences, and which of them it is for."""

    sub_sentences: Annotated[tuple[SubSentence, ...], ProvidedBy("segment")]
    entities: tuple[str, ...]
    task: Literal["ask", "verify"]
    index: Annotated[int, ProvidedBy("segment, whose conditional edge is fan_out,")]


@dataclass(frozen=True, slots=True)
class SelectorOptions:
    """How the model is asked, and how many relations are kept."""

    style: str = "compact"
    """"compact", "paper", or "short" (no examples, relations ranked; for trained models)."""
    shots: int = 12
    """Worked examples in the prompt, 0 to 12."""
    top_k: int = 0
    """Relations kept per sub-sentence; 0 means 5 for claims and 3 for questions (appendix C)."""
    hops: int = 0
    """The hop count of the questions (B.2's n, and the paper's examples); 0: that of the sub-sentences."""
    skip: int = 1
    """Take all candidates without a model call where there are at most this many; -1: as the published code does, a
    claim's where there are fewer than k, a question's where there is one."""
    candidates: Candidates = "facing"
    """How they are found: "facing" as ``claim_candidates`` tells, "paper" as printed in appendix B, "published" as in
    the paper's code."""

    def k(self, task: str) -> int:
        """The k in force for a task."""
        return self.top_k or (5 if task == "verify" else 3)


TRAINED = SelectorOptions(style="short", shots=0, skip=0)
"""The options for models that were trained for this node; they are asked about a single candidate too, so that they
can say that no relation fits."""


def claim_candidates(kg: KGStore, sub: SubSentence, rule: Candidates = "facing") -> set[str]:
    """Algorithm 1: relations that all entities of the sub-sentence have, met with those of its types.

    "paper" is as printed. In "facing" two ends must also agree on the direction, one being the head where the other
    is the tail, and where nothing is left all of the entities' relations are taken, else the types'. "published" is
    the paper's code: two ends agree on the direction, a single type counts as a head only, and a side that has
    nothing leaves the choice to the other.
    """
    entity_side = [kg.relations(end.entity) for end in sub.ends if end.entity]
    type_side = [kg.type_relations(end.type) for end in sub.ends if end.type]
    if rule == "paper":
        flat_entities = [{d.relation for d in side} for side in entity_side]
        flat_types = [{d.relation for d in side} for side in type_side]
        by_entity = set.intersection(*flat_entities) if flat_entities else set[str]()
        return by_entity & set.union(*flat_types) if flat_types else by_entity
    if rule == "published":
        by_entity = _facing(entity_side) if len(entity_side) == 2 else {d.relation for s in entity_side for d in s}
        heads = {d.relation for s in type_side for d in s if not d.inverse}
        by_type = _facing(type_side) if len(type_side) == 2 else heads
        return by_entity & by_type if by_entity and by_type else by_entity or by_type
    sides = [*entity_side, *type_side]
    if len(sides) == 2 and (both := _facing(sides)):
        return both
    for fallback in (entity_side, type_side):
        if fallback:
            return {d.relation for side in fallback for d in side}
    return set()


def _facing(sides: Sequence[frozenset[DirectedRelation]]) -> set[str]:
    """The relations of which one of two ends can be the head and the other the tail."""
    return {d.relation for d in sides[0] & {DirectedRelation(d.relation, not d.inverse) for d in sides[1]}}


def question_candidates(
    kg: KGStore, subs: Sequence[SubSentence], index: int, entities: Sequence[str],
    rule: Candidates = "facing", hops: int = 0,
) -> set[str]:  # fmt: skip
    """Relations within reach. "paper" is B.2: all within n hops of the seed entities, n being ``hops``, or the number
    of sub-sentences where it is 0. Else one hop from a named end, n hops where none is named; "facing" keeps of these
    only what a typed end's type has (B.1's type index).
    """
    sub = subs[index]
    named = [end.entity for end in sub.ends if end.entity]
    if named and rule != "paper":
        found = set.union(*({d.relation for d in kg.relations(e)} for e in named))
    else:
        named = [end.entity for s in subs for end in s.ends if end.entity]
        seeds = (list(entities) or named) if rule == "paper" else (named or list(entities))
        found = set[str]().union(*(kg.relations_within(e, hops or len(subs)) for e in seeds))
    if rule != "facing":
        return found
    for end in sub.ends:
        if end.type and (narrowed := found & {d.relation for d in kg.type_relations(end.type)}):
            found = narrowed
    return found


def parse_relations(reply: str, labels: dict[str, str], k: int) -> tuple[str, ...]:
    """Relation ids named in a reply, in its order, at most k; raises ReplyError where none was offered."""
    text = reply.strip().strip("`").replace("_", " ")
    folded = {label.replace("_", " ").casefold(): relation for label, relation in labels.items()}
    found: list[str] = []
    for part in re.split(r"[;,\n\[\]'\"`*]+", text):
        name = re.sub(r"^(chosen|answer|relations?|top \d+ answer)\s*:|^\W*\d+[.)]\s", "", part.strip(), flags=re.I)
        relation = folded.get(" ".join(name.strip(" .:-").casefold().split()))
        if relation and relation not in found:
            found.append(relation)
    if not found:  # a relation whose label holds a separator, or prose around the names
        hits = [
            (m.start(), r)
            for name, r in folded.items()
            if (m := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text[:5_000], re.I))
        ]
        found = list(dict.fromkeys(r for _, r in sorted(hits)))
    if not found:
        raise ReplyError("It names none of the offered relations.")
    return tuple(found[:k])


def fan_out(state: AskState) -> list[Send]:
    """One parallel branch of the node ``select_relations`` per sub-sentence: the conditional edge after ``segment``."""
    subs, entities, task = state["sub_sentences"], state.get("entities", ()), state.get("task", "ask")
    branches = (SelectionInput(sub_sentences=subs, entities=entities, task=task, index=i) for i in range(len(subs)))
    return [Send("select_relations", branch) for branch in branches]


def make_relation_selector(given: SelectorOptions | None = None) -> Node[SelectionInput, AskState]:
    """The selector node: one sub-sentence of the fan-out → ``selected`` {index: relation ids}.

    Without options the model is asked in the style that suits it.
    """

    @node
    async def select_relations(state: SelectionInput, context: NodeContext) -> AskState:
        kg, options = context.kg, suited(given, context.model, SelectorOptions(), TRAINED)
        subs, index, task = state["sub_sentences"], state["index"], state["task"]
        sub, k = subs[index], options.k(task)
        if task == "verify" and any(end.entity or end.type for end in sub.ends):
            found = claim_candidates(kg, sub, options.candidates)
        else:
            found = question_candidates(kg, subs, index, state["entities"], options.candidates, options.hops)
        labels = await offered_relations(context, sub, found, options.style)
        detail: dict[str, Any] = {"sub_sentence": sub.text, "candidates": list(labels)}
        limit = options.skip if options.skip >= 0 else k - 1 if task == "verify" else 1
        if len(labels) <= limit or not labels:
            chosen = tuple(labels.values())
            note = "all candidates taken" if chosen else "no relation joins the ends"
            step = Step(f"select_relations[{index + 1}]", "skipped", note, detail=detail)
        else:
            called = await rank_relations(context, sub, labels, task, options, f"select_relations[{index + 1}]", detail)
            step, chosen = called.step, called.value
            if isinstance(chosen, dict):
                for label in _joining(kg, sub) & labels.keys() if task == "verify" else ():
                    chosen[label] += JOINS
                chosen = _near_the_first(chosen, labels, k, MARGINS[task])
        step.detail["chosen"] = [kg.relation_label(r) for r in chosen]
        return {"selected": {index: chosen}, "steps": [step]}

    return select_relations


async def rank_relations(
    context: NodeContext,
    sub: SubSentence,
    labels: dict[str, str],
    task: str,
    options: SelectorOptions,
    name: str,
    detail: dict[str, Any],
) -> ParsedReply[Chosen]:
    """One call for a sentence: relation ids, the most fitting first; in the short style label → score by model and
    embedder, "none" among them, where the model can rank. ``name`` and ``detail`` are the step's."""
    k = options.k(task)
    called = await call_model(
        context.model,
        _messages(sub, labels, task, k, options),
        _reply_format(sub, labels, k, options.style),
        node=name,
        detail=detail,
    )
    if isinstance(called.value, dict):
        return ParsedReply(await _by_both(context, sub, labels, called.value, called.step.detail), called.step)
    return called


async def offered_relations(context: NodeContext, sub: SubSentence, found: set[str], style: str) -> dict[str, str]:
    """Label → relation id, the nearest first: small models lean towards what they read first.

    The short style offers the nearest 24 at most, by the embedder where there are more.
    """
    kg = context.kg
    if style == "paper":
        return {r: r for r in sorted(found)}
    labels = {kg.relation_label(r): r for r in sorted(found)}
    labels = {kg.relation_label(r): r for r in nearest_relations(sub.text, labels, len(labels))}
    if style != "short" or len(labels) <= MOST_OFFERED:
        return labels
    names = list(labels)
    near = await _similarities(context, sub, names)
    if near is not None:
        names = [names[i] for i in sorted(range(len(names)), key=lambda i: -near[i])]
    return {name: labels[name] for name in names[:MOST_OFFERED]}


async def _similarities(context: NodeContext, sub: SubSentence, names: Sequence[str]) -> NDArray[np.float32] | None:
    if not context.embedder:
        return None
    similarity = await asyncio.to_thread(relation_similarity, context.embedder)
    sentence = without_names(context.kg, sub)
    return None if similarity is None else await asyncio.to_thread(similarity.scores, sentence, names)


def without_names(kg: KGStore, sub: SubSentence) -> str:
    """The sub-sentence without the names of its ends: they say nothing of the relation, and an embedder would find
    them near whatever sounds like them."""
    text = sub.text
    for end in sub.ends:
        if end.entity:
            for name in {kg.display(end.entity), kg.label(end.entity)}:
                text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    text = " ".join(text.split())
    return text if re.search(r"\w", text) else sub.text


async def _by_both(
    context: NodeContext,
    sub: SubSentence,
    labels: dict[str, str],
    ranking: dict[str, float],
    detail: dict[str, Any],
) -> dict[str, float]:
    """Label → score, "none" among them: the log-probability and, where the model is sure of no relation, the
    similarity to the sentence beside it."""
    scores = dict(ranking)
    detail["log_probabilities"] = dict(sorted(ranking.items(), key=lambda item: -item[1])[:8])
    if max(ranking[name] for name in labels) < SURE:
        names = list(labels)
        near = await _similarities(context, sub, names)
        if near is not None:
            detail["similarities"] = {n: round(float(s), 3) for n, s in zip(names, near, strict=True)}
            for name, value in zip(names, near, strict=True):
                scores[name] += SIMILARITY_WEIGHT * float(value)
            best = max(range(len(names)), key=lambda i: scores[names[i]])
            scores[NONE] += NONE_WEIGHT * NONE_SIMILARITY + (SIMILARITY_WEIGHT - NONE_WEIGHT) * float(near[best])
    return scores


def _joining(kg: KGStore, sub: SubSentence) -> set[str]:
    """Labels of the relations between two named ends."""
    named = [end.entity for end in sub.ends if end.entity]
    pairs = (named, named[::-1]) if len(named) == 2 else ()
    return {kg.relation_label(t.relation) for head, tail in pairs for t in kg.triples(head, None, tail)}


def _near_the_first(scores: dict[str, float], labels: dict[str, str], k: int, margin: float) -> tuple[str, ...]:
    """The relations that come near the first, at most k; () where "none" is the first."""
    order = sorted(scores, key=lambda name: -scores[name])
    near = [name for name in order if scores[name] >= scores[order[0]] - margin and name != NONE]
    return () if order[0] == NONE else tuple(labels[name] for name in near[:k])


def _messages(sub: SubSentence, labels: dict[str, str], task: str, k: int, options: SelectorOptions) -> list[Any]:
    paper = options.style == "paper"
    return load_prompt(f"kg_gpt/select{STYLES[options.style]}").render(
        **shown_examples("select", task, options.style, options.shots, options.hops),
        **({} if options.style == "short" else {"k": str(k)}),
        sentence=sub.text,
        relations=str(list(labels)) if paper else APART.join(labels),
    )


def _reply_format(sub: SubSentence, labels: dict[str, str], k: int, style: str) -> ReplyFormat[Chosen]:
    from triplewise.backends.llama.gbnf import choice_list

    def parse(text: str) -> Chosen:
        if style == "short" and NONE not in labels:
            if (ranking := _ranking(text)) and {*ranking} == {*labels, NONE}:
                return ranking
            if text.strip().casefold() == NONE:
                return ()
        return parse_relations(text, labels, k)

    return ReplyFormat(
        parse=parse,
        grammar=None if style == "paper" else lambda: choice_list(list(labels), max_items=k, separator=APART),
        rank=(*labels, NONE) if style == "short" and NONE not in labels else (),
        fallback=lambda: nearest_relations(sub.text, labels, k),
        fallback_note=f"The {k} relations nearest by BM25 are taken.",
        max_tokens=200,
    )


def _ranking(text: str) -> dict[str, float]:
    """A ranking as ``ReplyFormat.rank`` asks for it, {} where the reply is none."""
    try:
        return {name: float(score) for name, score in json.loads(text)}
    except (ValueError, TypeError, RecursionError):
        return {}
