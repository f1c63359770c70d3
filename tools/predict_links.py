"""A LangChain tool that predicts missing links with a link scorer; what it finds is marked as predicted."""

from __future__ import annotations

from langchain_core.tools import BaseTool, ToolException, tool

from triplewise.errors import UserError
from triplewise.kg.base import KGStore
from triplewise.kg.linking import resolve_entity, resolve_relation
from triplewise.tools.links.rotate_scorer import LinkScorer
from triplewise.types import Evidence, Triple

MAX_CANDIDATES = 50


def make_predict_links(kg: KGStore, scorer: LinkScorer) -> BaseTool:
    """The tool ``predict_links`` over a graph; its artifact is a list of predicted ``Evidence``, best first.

    A name that the graph lacks becomes a message to the model that says what is near, not an error.
    """

    @tool(response_format="content_and_artifact")
    def predict_links(
        relation: str, head: str | None = None, tail: str | None = None, limit: int = 10
    ) -> tuple[str, list[Evidence]]:
        """Guess the missing end of a link that the graph does not state: give the relation and either head or tail.

        Results are predictions with a score (higher is more likely), never facts.

        Args:
            relation: the relation's name
            head: the head entity's name; leave it out to predict heads
            tail: the tail entity's name; leave it out to predict tails
            limit: how many predictions, at most 50
        """
        try:
            if (not head) == (not tail):
                raise ToolException("Give either head or tail, and leave the other out.")
            r = resolve_relation(kg, relation)
            h, t = (resolve_entity(kg, name) if name else None for name in (head, tail))
            limit = max(1, min(limit, MAX_CANDIDATES))
            found = scorer.candidates(h, r, t, limit, exclude_known=True)
        except UserError as error:
            raise ToolException(str(error)) from None
        evidence = [
            Evidence(Triple(h if h is not None else e, r, t if t is not None else e), "predicted", s, "predict_links")
            for e, s in found
        ]
        lines = [f"{n}. {kg.display(e)} (score {s:.3f})" for n, (e, s) in enumerate(found, 1)]
        ends = [kg.display(e) if e is not None else "?" for e in (h, t)]
        title = f"Predicted, not stated in the graph: {ends[0]} | {kg.relation_label(r)} | {ends[1]}"
        return "\n".join([title, *(lines or ["nothing"])]), evidence

    predict_links.handle_tool_error = True
    return predict_links
