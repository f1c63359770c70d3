"""Tools that look things up: what is in the graph, names, an entity's facts, paths, queries, and cited evidence."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

from langchain_core.tools import BaseTool, ToolException, tool

from triplewise.errors import UserError
from triplewise.kg.names import one_line
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.langchain.paths import shortest_paths
from triplewise.tools.langchain.replies import ToolReplies
from triplewise.types import Evidence, Triple

Reply = tuple[str, dict[str, Any]]
Offset = Annotated[int, "how many lines to skip, to get the rest of a long reply"]


def look_up_tools(replies: ToolReplies) -> list[BaseTool]:
    """The read-only tools over one graph that need no model."""
    kg = replies.kg

    @tool(response_format="content_and_artifact")
    def get_schema(offset: Offset = 0) -> Reply:
        """List the kinds of things in the graph and its relations, with how often each occurs and an example."""
        classes: Counter[str] = Counter(c for e in kg.entities() for c in kg.types(e))
        lines = [f"kind: {one_line(kg.label(c))} ({n} things)" for c, n in classes.most_common()]
        for relation in kg.relation_ids():
            triples = list(kg.triples(relation=relation))
            if triples:
                head, tail = one_line(kg.display(triples[0].head)), one_line(kg.display(triples[0].tail))
                name = one_line(kg.relation_label(relation))
                lines.append(f"relation: {name} ({len(triples)} triples), e.g. {head} — {name} → {tail}")
        title = f"{kg.name}: {len(kg):,} triples, {len(kg.entities()):,} things, {len(kg.relation_ids())} relations"
        return replies.page(title, lines, offset), {"lines": len(lines)}

    @tool(response_format="content_and_artifact")
    def search_nodes(text: str, limit: int = 10) -> Reply:
        """Find things in the graph by name, also by a part of it or with typing errors.

        Args:
            text: the name to look for
            limit: how many, at most 50
        """
        hits = kg.search(text, max(1, min(limit, 50)))
        lines = [f"{one_line(kg.display(h.id))}{_kinds(replies, h.id)} ({h.reason})" for h in hits]
        found = [{"id": h.id, "label": kg.display(h.id), "score": round(h.score, 3)} for h in hits]
        return replies.page(f"{len(hits)} found for {one_line(text)!r}", lines), {"nodes": found}

    @tool(response_format="content_and_artifact")
    def describe_entity(entity: str) -> Reply:
        """Say what an entity is: its kinds, other names, description, and how many triples each relation has there.

        Args:
            entity: its name
        """
        node = replies.entity(entity)
        counts: Counter[str] = Counter()
        for directed in kg.relations(node):
            label = one_line(kg.relation_label(directed.relation))
            ends = (None, directed.relation, node) if directed.inverse else (node, directed.relation, None)
            counts[f"… — {label} → it" if directed.inverse else f"it — {label} → …"] = sum(1 for _ in kg.triples(*ends))
        lines = [f"also called: {', '.join(map(one_line, kg.aliases(node)))}"] if kg.aliases(node) else []
        lines += [one_line(kg.description(node))] if kg.description(node) else []
        lines += [f"{name} ({n})" for name, n in sorted(counts.items(), key=lambda c: (-c[1], c[0]))]
        return replies.page(f"{one_line(kg.display(node))}{_kinds(replies, node)}", lines), {"id": node}

    @tool(response_format="content_and_artifact")
    def explore_relations(
        entity: str,
        relation: str | None = None,
        direction: Literal["out", "in", "both"] = "both",
        offset: Offset = 0,
    ) -> Reply:
        """List the triples at an entity, numbered for citing.

        Args:
            entity: its name
            relation: only this relation
            direction: "out" where the entity stands first, "in" where it stands last
            offset: how many lines to skip, to get the rest of a long reply
        """
        node = replies.entity(entity)
        chosen = replies.relation(relation) if relation else None
        found: list[Triple] = []
        if direction in ("out", "both"):
            found += kg.triples(node, chosen, None)
        if direction in ("in", "both"):
            found += kg.triples(None, chosen, node)
        evidence = [Evidence(t, origin="explore_relations") for t in dict.fromkeys(found)]
        return replies.triples(f"{len(evidence)} triples at {one_line(kg.display(node))}", evidence, offset)

    @tool(response_format="content_and_artifact")
    def find_paths(start: str, end: str, max_steps: int = 3) -> Reply:
        """Show how two entities are connected: the shortest chains of triples between them, numbered for citing.

        Args:
            start: one entity's name
            end: the other's name
            max_steps: the longest chain, at most 4
        """
        a, b = replies.entity(start), replies.entity(end)
        paths = shortest_paths(kg, a, b, max(1, min(max_steps, 4)))
        steps = [Evidence(t, origin="find_paths") for path in paths for t in path]
        names = f"{one_line(kg.display(a))} and {one_line(kg.display(b))}"
        if not paths:
            return f"No chain of at most {max_steps} triples connects {names}.", {"evidence": [], "total": 0}
        return replies.triples(f"{len(paths)} shortest chains between {names}, {len(paths[0])} long", steps)

    @tool(response_format="content_and_artifact")
    def run_query(
        where: list[list[str]],
        select: str = "?x",
        count: bool = False,
        filter: list[list[str]] | None = None,
        minus: list[list[str]] | None = None,
        order_by: str | None = None,
        descending: bool = True,
        limit: int = 1,
    ) -> Reply:
        """Run a query over the graph: patterns that must all hold. Words beginning with ? are unknowns.

        Args:
            where: patterns [head, relation, tail], e.g. [["?x", "directed by", "Ridley Scott"]]
            select: the unknown that is asked for
            count: ask how many there are
            filter: comparisons [unknown, one of = != < <= > >= year, value], e.g. [["?y", ">", "1990"]]
            minus: patterns that must not hold together
            order_by: keep the first by the value of this unknown; "count ?y" orders by how many ?y there are
            descending: the greatest first
            limit: how many to keep with order_by
        """
        data: dict[str, Any] = {"count" if count else "select": select, "where": where}
        data |= {"filter": filter} if filter else {}
        data |= {"minus": minus} if minus else {}
        data |= {"order": {"by": order_by, "desc": descending, "limit": limit}} if order_by else {}
        try:
            query = QueryGraph.from_json(data, entity=replies.entity, relation=lambda r: _relation(replies, r))
            done = execute(kg, query)
        except UserError as error:
            raise ToolException(str(error)) from None
        proofs = [Evidence(t, origin="run_query") for f in done.found for t in f.proof]
        labels = [one_line(kg.display(i)) for i in done.ids]
        what = str(done.number) if count else ", ".join(labels[:50]) or "nothing"
        more = f" and {len(labels) - 50} more" if len(labels) > 50 and not count else ""
        text, artifact = replies.triples(f"answer: {what}{more}\nproof:", list(dict.fromkeys(proofs)))
        return text, {**artifact, "answers": list(done.ids), "number": done.number, "query": query.to_json()}

    @tool(response_format="content_and_artifact")
    def show_evidence(numbers: list[int]) -> Reply:
        """Show the triples that [n] in earlier replies stand for.

        Args:
            numbers: the numbers in brackets
        """
        book = replies.book
        known = [e for n in numbers if (e := book.get(n)) is not None]
        missing = [n for n in numbers if book.get(n) is None]
        text, artifact = replies.triples(f"{len(known)} pieces of evidence", known)
        return text + (f"\nno evidence has these numbers: {missing}" if missing else ""), artifact

    return [get_schema, search_nodes, describe_entity, explore_relations, find_paths, run_query, show_evidence]


def _kinds(replies: ToolReplies, node: str) -> str:
    kinds = [one_line(replies.kg.label(t)) for t in replies.kg.types(node)]
    return f", {' and '.join(kinds)}" if kinds else ""


def _relation(replies: ToolReplies, name: str) -> str:
    from triplewise.kg.query.graph import NAME, TYPE, alternatives, either

    if name in (TYPE, NAME):
        return name
    return either(map(replies.relation, alternatives(name, replies.kg.relation_ids)))
