"""Small graphs for query-graph's tests, and candidates over them without a trained ranker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from triplewise.kg import KGStore, NetworkxStore, load_kg
from triplewise.tools.query_graph.candidates.bases import Limits, Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.query_graph.verbaliser import Verbaliser

TEAM = """\
name,role,team,started,city
Mia Kern,team lead,Search,2019-04-01,Berlin
Jonas Beck,developer,Search,2021-09-15,Hamburg
Ana Ruiz,designer,Checkout,2020-02-01,Madrid
Tom Weber,developer,Checkout,2018-11-05,Berlin
Lea Brandt,team lead,Checkout,2017-06-12,Munich
"""
"""A table of five people."""


def ferries() -> NetworkxStore:
    """Ships with crews, harbours on islands, and a voyage that ties ship, harbour and date without a name."""
    things = {"Ship": ["MS Löwe", "Sea Eagle", "Otter"], "Harbour": ["Ufer", "Nordkap Quay"], "Island": ["Rona"]}
    things |= {"Person": ["Anna Berg", "Ben Ode", "Carla Ruiz", "Dov Lind"]}
    triples = [
        ("Anna Berg", "captain of", "MS Löwe"), ("Ben Ode", "captain of", "Sea Eagle"),
        ("Carla Ruiz", "mate on", "MS Löwe"), ("Dov Lind", "mate on", "Sea Eagle"), ("Ben Ode", "mate on", "Otter"),
        ("MS Löwe", "based at", "Ufer"), ("Sea Eagle", "based at", "Ufer"), ("Otter", "based at", "Nordkap Quay"),
        ("MS Löwe", "length m", '"84"'), ("Sea Eagle", "length m", '"61"'), ("Otter", "length m", '"12"'),
        ("MS Löwe", "built", '"1999-03-02"'), ("Sea Eagle", "built", '"2014-08-11"'), ("Otter", "built", '"2021-01-09"'),
        ("MS Löwe", "carries cars", '"yes"'), ("Sea Eagle", "carries cars", '"no"'), ("Otter", "carries cars", '"no"'),
        ("Ufer", "on island", "Rona"), ("Nordkap Quay", "on island", "Rona"),
        ("Ufer", "harbour master", "Dov Lind"), ("Nordkap Quay", "harbour master", "Carla Ruiz"),
        ("Sea Eagle", "retired in", '"2023"'), ("Sea Eagle", "also known as", "the Eagle"),
        ("MS Löwe", "also known as", "Leo"), ("Otter", "also known as", "Ottie"),
        ("_:v1", "ship", "MS Löwe"), ("_:v1", "calls at", "Nordkap Quay"), ("_:v1", "on day", '"2024-05-01"'),
        ("_:v2", "ship", "Sea Eagle"), ("_:v2", "calls at", "Ufer"), ("_:v2", "on day", '"2024-06-02"'),
    ]  # fmt: skip
    triples += [(thing, "is a", kind) for kind, named in things.items() for thing in named]
    return NetworkxStore(triples, name="ferries")


def tables_in(folder: Path, tables: Mapping[str, str]) -> KGStore:
    """A folder of CSV tables, each under its name, as one graph."""
    folder.mkdir(exist_ok=True)
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return load_kg(folder)


def word_affinity(schema: SchemaView, text: str) -> Callable[[Step], float]:
    """The share of a relation's letter triples that the sentence has: what the encoder tells, without one."""
    verbaliser, said = Verbaliser(schema), _triples(text)

    def near(step: Step) -> float:
        own = _triples(verbaliser.step(step.relation))
        return len(own & said) / max(1, len(own))

    return near


def _triples(text: str) -> set[str]:
    text = f" {text.lower()} "
    return {text[i : i + 3] for i in range(len(text) - 2)}


class Candidates:
    """The candidate readings of sentences over one graph."""

    def __init__(self, store: KGStore) -> None:
        self.store, self.schema = store, SchemaView(store)
        self.verbaliser = Verbaliser(self.schema)
        self.generator = Generator(self.schema, Limits(milliseconds=600_000))

    def of(self, text: str) -> tuple[Sentence, list[Draft]]:
        """A question's candidates."""
        sentence = self.generator.read(text)
        return sentence, self.generator.generate(sentence, word_affinity(self.schema, text))

    def texts(self, text: str) -> list[str]:
        """A question's candidates as the ranker reads them."""
        sentence, drafts = self.of(text)
        return [self.verbaliser.reading(draft, sentence) for draft in drafts]
