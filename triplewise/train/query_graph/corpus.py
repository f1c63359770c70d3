"""The corpus of domains: small graphs with questions, claims and conversations, each with its gold query graph.

A domain is a folder with ``graph.*``, ``relations.tsv``, ``questions.jsonl``, ``claims.jsonl``, ``conversations.jsonl``
and ``domain.json``, and ``rewordings.tsv`` where there is one; docs/corpus.md says what stands in them.
``python -m triplewise.train.query_graph.corpus FOLDER`` executes every query and compares.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from triplewise.errors import GraphFileError, QuestionError
from triplewise.kg import NetworkxStore, load_kg
from triplewise.kg.names import literal_parts
from triplewise.kg.query import NAME, TYPE, QueryGraph, execute

DEVELOPMENT = (
    "airline", "chess_club", "garage", "licences", "pharmacy", "secondary_school", "veterinary", "zoo",
)  # fmt: skip
"""The domains that are never trained on; fixed before the first training."""
_LOCAL = re.compile(r"[/#]")


@dataclass(frozen=True, slots=True)
class CorpusItem:
    """A question or a claim with its gold query graph and answers (ids; a count as its number; a label of claims)."""

    id: str
    domain: str
    task: Literal["ask", "verify"]
    text: str
    answers: frozenset[str]
    query: QueryGraph | None
    """None where it names what the graph does not have."""
    kind: str
    voice: str
    hops: int
    missing: str = ""
    source: str = "questions"
    given: tuple[str, ...] = ()
    """The things that a sentence is about where a conversation tells it."""


class Domain:
    """One folder of the corpus, its graph loaded."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.name = folder, folder.name
        files = [f for f in sorted(folder.iterdir()) if f.stem == "graph"]
        if not files:
            raise GraphFileError(
                folder, "the folder has no graph file.", hint="A domain has graph.tsv, .csv, .ttl, .nt or .jsonld."
            )
        store = load_kg(files[0])
        assert isinstance(store, NetworkxStore), "a domain's graph is a file, which is held in memory"
        self.store = store
        self._nodes: dict[str, list[str]] = {}
        for node in (*self.store.nodes(), *{t for e in self.store.entities() for t in self.store.types(e)}):
            for text in dict.fromkeys((node, self.store.label(node), _LOCAL.split(node.rstrip("/#"))[-1])):
                self._nodes.setdefault(text, []).append(node)
        self._relations = {_LOCAL.split(r.rstrip("/#"))[-1]: r for r in self.store.relation_ids()}
        self._relations |= {r: r for r in self.store.relation_ids()}

    def node(self, term: str) -> str:
        """The id that a term of a query means: an id, a unique label, or an IRI's local name; else the term itself."""
        found = list(dict.fromkeys(self._nodes.get(term, ())))
        if len(found) > 1:
            things = [n for n in found if not literal_parts(n)]
            local = [n for n in found if _LOCAL.split(n.rstrip("/#"))[-1] == term]
            found = things if len(things) == 1 else local or found
        return found[0] if found else term

    def _is_thing(self, term: str) -> bool:
        node = self.node(term)
        return self.store.has_entity(node) and not literal_parts(node) and bool(self.store.relations(node))

    def relation(self, term: str) -> str:
        """The id of a relation; a relation that tells classes or other names is TYPE or NAME."""
        relation = self._relations.get(term, term)
        if relation in self.store.roles.types or (relation == "type" and relation not in self._relations):
            return TYPE
        return NAME if relation == "altLabel" and relation not in self._relations else relation

    def query(self, data: Any) -> QueryGraph:
        """A gold query as ids; ``!=`` a thing is ``not in`` the list of it."""
        if "filter" in data:
            things = [
                [a, "not in", [b]] if op == "!=" and isinstance(b, str) and self._is_thing(b) else [a, op, b]
                for a, op, b in data["filter"]
            ]
            data = {**data, "filter": things}
        renamed = {
            key: [[h, r, self._name_node(r, t) if isinstance(t, str) else t] for h, r, t in data[key]]
            for key in ("where", "minus")
            if key in data
        }
        return QueryGraph.from_json({**data, **renamed}, entity=self.node, relation=self.relation)

    def _name_node(self, relation: str, term: str) -> str:
        """A name that an alias relation leads to, which a thing's label may also be."""
        named = self._relations.get(relation) in self.store.roles.aliases
        found = [n for n in self._nodes.get(term, ()) if literal_parts(n) or self.store.is_name(n)] if named else []
        return found[0] if found else term

    def items(self) -> Iterator[CorpusItem]:
        """Questions, claims, and the turns of conversations in their standalone form."""
        for row in self._rows("questions.jsonl"):
            yield self._item(row, "ask", row["question"], "questions")
        for row in self._rows("claims.jsonl"):
            yield self._item({**row, "answers": [row["label"]]}, "verify", row["claim"], "claims")
        for talk in self.conversations():
            for _, item in talk:
                yield item

    def rewordings(self) -> Iterator[CorpusItem]:
        """Its questions and claims in other words, each the item that it means with another text; none where it has no
        such file."""
        path = self.folder / "rewordings.tsv"
        told = {row.id: row for row in self.items() if row.source != "conversations"} if path.is_file() else {}
        lines = path.read_text(encoding="utf-8").splitlines() if told else []
        for number, line in enumerate(lines, 1):
            name, _, text = line.partition("\t")
            item = told.get(f"{self.name}/{name}")
            if item is None or not text.strip():
                raise GraphFileError(path, f"no sentence for a question or claim: {line!r}.", number)
            yield replace(item, id=f"{item.id}~{number}", text=text.strip(), voice="reworded", source="rewordings")

    def conversations(self) -> Iterator[list[tuple[str, CorpusItem]]]:
        """Each conversation's turns that ask the graph: (what was said, its standalone form)."""
        for talk in self._rows("conversations.jsonl"):
            turns = []
            for number, turn in enumerate(talk["turns"], 1):
                if turn["act"] in ("ask", "verify", "none"):
                    task: Literal["ask", "verify"] = "verify" if turn["act"] == "verify" else "ask"
                    row = {
                        "id": f"{talk['id']}.{number}",
                        "kind": turn["act"],
                        "voice": "standalone",
                        "hops": 0,
                        **turn,
                    }
                    turns.append((turn["user"], self._item(row, task, turn["standalone"], "conversations")))
            yield turns

    def _item(self, row: dict[str, Any], task: Literal["ask", "verify"], text: str, source: str) -> CorpusItem:
        query = self.query(row["query"])
        answers = frozenset(
            row["answers"] if task == "verify" or query.form == "count" else map(self.node, row["answers"])
        )
        return CorpusItem(
            f"{self.name}/{row['id']}", self.name, task, text, answers, query, row["kind"], row["voice"],
            row.get("hops", 1), row.get("missing", ""), source,
        )  # fmt: skip

    def _rows(self, name: str) -> Iterator[dict[str, Any]]:
        path = self.folder / name
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise GraphFileError(path, f"not JSON: {error}.", number) from None


def answers_of(domain: Domain, query: QueryGraph) -> frozenset[str]:
    """What a query gives: ids of nodes, literals by their labels' ids, a count as its number."""
    done = execute(domain.store, query)
    if query.form == "count":
        return frozenset((str(done.number),))
    return frozenset(domain.node(domain.store.label(i)) if literal_parts(i) else i for i in done.ids)


def check(domain: Domain) -> list[str]:
    """What is wrong with a domain's items: a query that gives other answers than the item says, or another verdict."""
    problems = []
    list(domain.rewordings())  # each is of an item
    for item in domain.items():
        if item.query is None:
            continue
        try:
            if item.task == "verify":
                problems += _wrong_label(domain, item, item.query)
                continue
            got = answers_of(domain, item.query)
        except QuestionError as error:
            problems.append(f"{item.id}: {error}")
            continue
        wanted = item.answers if item.query.form != "count" or item.answers else frozenset(("0",))
        if got != wanted:
            problems.append(f"{item.id}: the graph gives {sorted(got)}, the item says {sorted(wanted)}")
    return problems


def _wrong_label(domain: Domain, item: CorpusItem, query: QueryGraph) -> list[str]:
    """A label that the graph contradicts; whether a missing match refutes is for relations.tsv to say."""
    (label,) = item.answers
    holds = execute(domain.store, query).holds
    absent_denied = query.denied and label == "not_enough_evidence"  # holds in the graph, which may lack the triple
    if holds == (label == "supported" or absent_denied):
        return []
    return [f"{item.id}: the graph says that it {'holds' if holds else 'does not hold'}, the item says {label}"]


def domain_names(folder: Path) -> list[str]:
    """The names of the domains in a folder, sorted."""
    return sorted(p.name for p in folder.iterdir() if (p / "questions.jsonl").is_file())


def open_corpus(folder: Path, names: tuple[str, ...] = ()) -> list[Domain]:
    """The domains of a folder, by name; ``names`` picks some."""
    return [Domain(folder / name) for name in domain_names(folder) if not names or name in names]


def main(arguments: list[str]) -> int:
    """Check the domains of a folder (or one domain); prints each problem, exit code 0 where there is none."""
    folder = Path(arguments[0])
    domains = [Domain(folder)] if (folder / "questions.jsonl").is_file() else open_corpus(folder)
    problems = [problem for domain in domains for problem in check(domain)]
    print("\n".join(problems) or f"ok: {len(domains)} domains, {sum(len(list(d.items())) for d in domains)} items")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
