"""``graph_tools(kg)``: a graph as LangChain tools, for anybody's tool-calling agent. ::

from langchain.agents import create_agent
import triplewise

kg = triplewise.load_kg("films")
agent = create_agent("openai:gpt-4o-mini", triplewise.graph_tools(kg))
print(agent.invoke({"messages": [("user", "Who directed Alien?")]})["messages"][-1].text)
"""

from __future__ import annotations

from functools import cache
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.tools import BaseTool, StructuredTool, ToolException, tool
from pydantic import BaseModel

from triplewise.agents.node import run_sync
from triplewise.backends.llama.control_tokens import harmless
from triplewise.errors import UserError
from triplewise.graphs.complete import acomplete
from triplewise.graphs.run import aask, averify
from triplewise.kg import load_kg
from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.tools.langchain.look_ups import Reply, look_up_tools
from triplewise.tools.langchain.replies import ToolReplies
from triplewise.tools.links.rotate_scorer import LinkScorer
from triplewise.tools.retrieval.triple_retriever import RetrievalOptions, TripleRetriever
from triplewise.tracing import traced
from triplewise.types import Evidence, Result


def graph_tools(
    kg: KGStore | str,
    *,
    model: BaseChatModel | str | None = None,
    method: str = "",
    retriever: TripleRetriever | None = None,
    scorer: LinkScorer | None = None,
    max_tokens: int = 1_200,
) -> list[BaseTool]:
    """Read-only tools over a graph; replies hold at most ``max_tokens``, artifacts are plain JSON.

    ``model`` answers inside ``ask`` and ``verify_claim`` (default: the embedded model), ``method`` likewise.
    ``retriever`` (``open_retriever``) ranks triples by an index instead of by words alone; ``scorer`` (``load_scorer``)
    adds ``predict_links`` and ``complete_link``, whose results are marked as predicted.
    """
    store = load_kg(kg) if isinstance(kg, str) else kg
    replies = ToolReplies(store, max_tokens)
    chat: BaseChatModel | str = model or "llamacpp:embedded"
    made = [*look_up_tools(replies), *_method_tools(replies, chat, method), _retrieve_tool(replies, retriever)]
    if scorer is not None:
        made += [_predict_tool(replies, scorer), _complete_tool(replies, scorer, chat)]
    for one in made:
        one.handle_tool_error = _told
        one.handle_validation_error = _misfit
        one.metadata = {"readOnlyHint": True}
        if isinstance(one, StructuredTool):
            one.func = one.func and traced("execute_tool", one.name)(one.func)
            one.coroutine = one.coroutine and traced("execute_tool", one.name)(one.coroutine)
    return made


def _told(error: ToolException) -> str:
    """An error as a reply; the names in it are the graph's."""
    return harmless(str(error))


def _misfit(error: Any) -> str:
    """What is wrong with a call's arguments, for the model to mend."""
    problems = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:3]]
    return harmless(f"These arguments do not fit: {'; '.join(problems)}.")


def _method_tools(replies: ToolReplies, model: BaseChatModel | str, method: str) -> list[BaseTool]:
    chosen = {"method": method} if method else {}

    async def ask(question: str) -> Reply:
        return _result(replies, await _guarded(aask(replies.kg, question, model=model, **chosen)))

    async def verify_claim(claim: str) -> Reply:
        return _result(replies, await _guarded(averify(replies.kg, claim, model=model)))

    return [
        _both_ways(
            ask,
            _Question,
            "Answer a question over the graph, with the triples that prove the answer, numbered for citing. "
            "Write the question so that it can be understood alone: names instead of pronouns.",
        ),
        _both_ways(
            verify_claim,
            _Claim,
            "Check a statement against the graph: supported, refuted or not_enough_evidence, with numbered triples. "
            "Write names instead of pronouns.",
        ),
    ]


class _Question(BaseModel):
    question: str


class _Claim(BaseModel):
    claim: str


class _Link(BaseModel):
    head: str
    relation: str
    tail: str


def _both_ways(run: Any, arguments: type[BaseModel], description: str) -> BaseTool:
    def plain(**given: Any) -> Reply:
        return run_sync(run(**given))

    return StructuredTool.from_function(
        func=plain, coroutine=run, name=run.__name__, description=description, args_schema=arguments,
        response_format="content_and_artifact",
    )  # fmt: skip


async def _guarded(result: Any) -> Any:
    try:
        return await result
    except UserError as error:
        raise ToolException(str(error)) from None


def _result(replies: ToolReplies, result: Result) -> Reply:
    cited = [result.evidence[i] for i in result.citations]
    lines = [f"answer: {one_line(result.text)}"]
    if result.reading:
        lines.append(f"read as: {one_line(result.reading.text)}")
    lines += [f"note: {one_line(w)}" for w in result.warnings]
    text, artifact = replies.triples("\n".join([*lines, "proof:" if cited else "no proof in the graph"]), cited)
    return text, {
        **artifact,
        "text": result.text,
        "answers": [{"id": a.id, "label": a.label} for a in result.answers],
        "verdict": result.verdict,
        "query": result.reading.query if result.reading else None,
        "margin": result.margin,
    }


def _retrieve_tool(replies: ToolReplies, retriever: TripleRetriever | None) -> BaseTool:
    @cache
    def opened() -> TripleRetriever:
        return retriever or TripleRetriever(replies.kg)

    @tool(response_format="content_and_artifact")
    def retrieve_triples(question: str, limit: int = 20) -> Reply:
        """Find the triples whose wording is nearest to a question, numbered for citing.

        Args:
            question: the question, or some of its words
            limit: how many, at most 100
        """
        found = opened()
        options, notes = found.fitting(RetrievalOptions(k=max(1, min(limit, 100)), hops=0))
        hits = found.retrieve(question, (), (), options).triples
        return replies.triples("\n".join([*notes, f"{len(hits)} triples"]), [
            Evidence(hit.triple, origin="retrieve_triples") for hit in hits
        ])  # fmt: skip

    return retrieve_triples


def _predict_tool(replies: ToolReplies, scorer: LinkScorer) -> BaseTool:
    from triplewise.tools.predict_links import make_predict_links

    inner = make_predict_links(replies.kg, scorer)

    def predict(relation: str, head: str | None = None, tail: str | None = None, limit: int = 10) -> Reply:
        _, evidence = inner.func(relation=relation, head=head, tail=tail, limit=limit)  # pyright: ignore[reportAttributeAccessIssue]
        return replies.triples("Predicted, not stated in the graph:", evidence)

    return StructuredTool.from_function(
        func=predict, name=inner.name, description=inner.description, args_schema=inner.args_schema,
        response_format="content_and_artifact",
    )  # fmt: skip


def _complete_tool(replies: ToolReplies, scorer: LinkScorer, model: BaseChatModel | str) -> BaseTool:
    async def complete_link(head: str, relation: str, tail: str) -> Reply:
        done = await _guarded(acomplete(replies.kg, head, relation, tail, scorer=scorer, model=model, top=5))
        return replies.triples("Candidates, the likeliest first:", done.evidence())

    return _both_ways(
        complete_link,
        _Link,
        "Predict the missing end of a link with a language model over a link predictor's candidates. Give two of head, "
        "relation and tail by name and write ? for the missing one. Results are predictions unless stated otherwise.",
    )
