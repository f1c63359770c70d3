"""Complete a missing link in one call: what ``triplewise.complete`` and the command line use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BaseModel

from triplewise.agents.context import Context, resolve
from triplewise.agents.kicgpt.candidates import known_answers
from triplewise.agents.kicgpt.link_reader import resolve_query
from triplewise.agents.kicgpt.state import LinkQuery
from triplewise.agents.node import run_sync
from triplewise.checks import expect, expect_option
from triplewise.errors import ConfigError, QuestionError, UserError
from triplewise.graphs.run import OnStep, prepare
from triplewise.kg.base import KGStore
from triplewise.tools.links.reasons import reasons
from triplewise.tools.links.rotate_scorer import LinkScorer
from triplewise.tools.links.scorers import find_scorer
from triplewise.tools.text.entity_text import EntityTexts
from triplewise.types import Evidence, Step, Triple, Usage


class _LinkArguments(BaseModel):
    head: str
    relation: str
    tail: str


@dataclass(frozen=True, slots=True)
class Prediction:
    """A candidate answer. ``score``: the retriever's. ``retriever_rank``: from 1.

    ``known``: the graph already asserts this answer; all others are predictions, not facts. ``because``: triples
    of the graph that speak for a prediction.
    """

    id: str
    label: str
    score: float
    retriever_rank: int
    known: bool
    because: tuple[Triple, ...] = ()

    @property
    def source(self) -> Literal["asserted", "predicted"]:
        """What kind of evidence the completed triple is."""
        return "asserted" if self.known else "predicted"


@dataclass(frozen=True, slots=True)
class Completion:
    """The outcome of ``complete``: predictions, best first, and how they came about."""

    query: LinkQuery
    ranking: tuple[Prediction, ...]
    demonstrations: tuple[tuple[Literal["analogy", "supplement"], Triple], ...]
    steps: tuple[Step, ...]
    usage: Usage
    warnings: tuple[str, ...] = ()
    method: str = "kicgpt"

    def evidence(self) -> tuple[Evidence, ...]:
        """The ranking as triples, each marked as asserted or predicted."""
        return tuple(Evidence(self.query.triple(p.id), p.source, p.score, self.method) for p in self.ranking)


async def acomplete(
    kg: KGStore | str | Path,
    head: str | None,
    relation: str,
    tail: str | None,
    *,
    scorer: LinkScorer | str | Path | None = None,
    model: BaseChatModel | str = "llamacpp:embedded",
    method: str | None = None,
    preset: str = "default",
    top: int = 10,
    on_step: OnStep | None = None,
    **options: Any,
) -> Completion:
    """Complete a link; see ``complete``."""
    expect("kg", kg, str, Path, KGStore, what="a store or the path of a graph file")
    for name, value in (("head", head), ("relation", relation), ("tail", tail)):
        expect(name, value, str, *(() if name == "relation" else (None,)), what="an id or a name")
    expect("model", model, str, BaseChatModel, what="a chat model or a string such as 'openai:gpt-4o-mini'")
    for name, value in {**options, "preset": preset, "top": top}.items():
        expect_option(name, value)
    if top < 1:
        raise ConfigError(f"top is {top}; it must be at least 1.")
    kg = str(kg) if isinstance(kg, Path) else kg
    prepared = prepare("complete", model, method, preset, options)
    context = resolve(Context(kg=kg, model=prepared.model))
    store = context.kg
    query = resolve_query(store, head, relation, tail)
    ranker = find_scorer(store, scorer) if scorer is None or isinstance(scorer, str | Path) else scorer
    state = await prepared.run({"query": query}, replace(context, scorer=ranker), on_step)
    return _completion(store, query, state, prepared.method.id, top, ranker)


def _completion(
    kg: KGStore, query: LinkQuery, state: dict[str, Any], method: str, top: int, scorer: LinkScorer
) -> Completion:
    ranks = {c.id: c.rank for c in state["candidates"]}
    scores: tuple[float, ...] = state["scores"]
    known = known_answers(kg, query)
    names, ranking = EntityTexts(kg), []
    for position, entity in enumerate(state["ranking"][:top], 1):
        rank = ranks.get(entity, position)
        score = float(scores[rank - 1])
        if score != score:  # what the scorer leaves out is no prediction
            break
        because = () if entity in known else reasons(kg, query.triple(entity), query.entity, scorer)
        ranking.append(Prediction(entity, names.disambiguated(entity), score, rank, entity in known, because))
    if not ranking:
        raise QuestionError(
            "the link predictor ranks no entity for this link.", "Name another --scorer, or add it to the rankings."
        )
    steps = tuple(state["steps"])
    warnings = list(state["warnings"])
    warnings += [f"{s.node}: {s.note}" for s in steps if s.status == "fallback"]
    usage = sum((s.usage for s in steps), Usage())
    return Completion(query, tuple(ranking), tuple(state.get("shown", ())), steps, usage, tuple(warnings), method)


def complete(kg: KGStore | str | Path, head: str | None, relation: str, tail: str | None, **options: Any) -> Completion:
    """Predict the missing end of a link: (head, relation, None) or (None, relation, tail).

    Ends and relation are ids or names. Options: ``scorer`` (a LinkScorer, the folder of ``train links`` or of
    ``train rotate``, or a file of another system's rankings; default: the graph's own, see ``find_scorer``),
    ``model`` (a chat model or a string), ``preset`` ("default", "paper", "reference"), ``top`` (predictions
    returned), ``on_step``, and
    those of ``kicgpt.settings``: ``mode``, ``reply``, ``m``, ``describe``, ``alignment``, ``keep_known``, ``ablation``.
    Raises UserError for what the caller can mend and BackendError where the model fails.
    """
    return run_sync(acomplete(kg, head, relation, tail, **options))


def complete_link_tool(
    kg: KGStore, *, scorer: LinkScorer, model: BaseChatModel, top: int = 5, **options: Any
) -> BaseTool:
    """``complete`` as a LangChain tool for tool-calling models; its artifact is the ``Completion``."""

    async def run(head: str, relation: str, tail: str) -> tuple[str, Completion]:
        try:
            done = await acomplete(kg, head, relation, tail, scorer=scorer, model=model, top=top, **options)
        except UserError as error:
            raise ToolException(str(error)) from None
        lines = [
            f"{n}. {p.label} ({'asserted by the graph' if p.known else 'predicted, not a fact'})"
            for n, p in enumerate(done.ranking, 1)
        ]
        return "\n".join(lines), done

    return StructuredTool.from_function(
        func=lambda head, relation, tail: run_sync(run(head, relation, tail)),
        coroutine=run,
        name="complete_link",
        description=(
            "Predict the missing end of a link of the knowledge graph. Give two of head, relation and tail by name "
            "and write ? for the missing head or tail. The answers are predictions unless marked as asserted."
        ),
        args_schema=_LinkArguments,
        response_format="content_and_artifact",
        handle_tool_error=True,
    )
