"""What query-graph is compared with in bench_own_graphs: untrained MiniLM over its candidates, and SPARQL by a model.

``Untrained`` ranks the same candidates by the cosine of MiniLM's vectors alone (``--method minilm``). ``WrittenSparql``
shows a chat model the graph's properties and two worked examples, and runs the query that it writes (``--method
sparql``); a property stands in it as ``p:name``, a thing by its label.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from triplewise.backends.embedders import minilm_folder
from triplewise.kg.base import KGStore
from triplewise.kg.query.rdf_terms import relation_iri, to_rdf
from triplewise.tools.query_graph.claims.verdict import Judge
from triplewise.tools.query_graph.features import NAMES
from triplewise.tools.query_graph.ranker import WEIGHTS, Reader
from triplewise.train.query_graph.corpus import CorpusItem, Domain
from triplewise.train.query_graph.network import RankerNetwork

READ = 200
"""Candidates that MiniLM reads, the likeliest by the generator's own score."""


class Untrained:
    """The candidates of one graph after another, ranked by MiniLM as it was published."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.weights = Path(self.folder.name) / "untrained.npz"
        prior = np.array([[float(name == "prior") for name in NAMES]], np.float32)
        row = np.zeros((1, len(NAMES)), np.float32)
        one = np.ones((1, 1), np.float32)
        arrays = {
            "features.mean": row, "features.spread": row + 1, "features.in": prior * 0.01, "features.in.bias": one * 0,
            "features.out": one * 100, "features.out.bias": one * 0,  # tanh of a hundredth, a hundred times: the prior
            "shortlist.weight": one * 0, "none": np.full((1, 2), -1e3, np.float32), "sharpness": one,
        }  # fmt: skip
        with np.load(WEIGHTS, allow_pickle=False) as shipped:  # a cross-encoder that has no say
            arrays |= {name: shipped[name] for name in shipped if name.startswith("cross.")}
        arrays["cross.share"] = np.zeros((1, 2), np.float32)
        network = RankerNetwork(Path(minilm_folder()))
        network.save(self.weights, arrays)
        with np.load(self.weights, allow_pickle=False) as archive:
            kept = dict(archive)
        np.savez(self.weights, **{**kept, "mix": np.array([[1.0, 0.0, 0.0]], np.float32)})
        self.readers: dict[str, Reader] = {}

    def answer(self, domain: Domain, item: CorpusItem) -> Sequence[str]:
        """Labels of the answers, or a verdict."""
        reader = self.readers.setdefault(domain.name, Reader(domain.store, self.weights))
        ranking = reader.rank(item.text, item.task, shortlist=READ)
        if not ranking.readings:
            return ["not_enough_evidence"] if item.task == "verify" else []
        draft = ranking.readings[0].draft
        if item.task == "verify":
            return [Judge(reader.schema).verdict(draft.query())[0]]
        found = [domain.store.label(a) for a in sorted(draft.answers)]
        return [str(len(found))] if draft.form == "count" else found


SYSTEM = (
    "You write one SPARQL query for a knowledge graph. Use only the properties that are listed. A thing is found by "
    "its rdfs:label. For a question write SELECT, for a claim write ASK. Write the query only."
)
EXAMPLE = """Properties: p:based_at p:captain_of p:built_in
Question: Who is the captain of the MS Löwe?
SELECT ?x WHERE { ?s rdfs:label "MS Löwe" . ?x p:captain_of ?s }

Properties: p:based_at p:captain_of p:built_in
Claim: The Sea Eagle lies at Ufer.
ASK { ?s rdfs:label "Sea Eagle" . ?h rdfs:label "Ufer" . ?s p:based_at ?h }
"""
PREFIXES = (
    "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> "
)


class WrittenSparql:
    """Queries by a chat model, run over the graph as RDF."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.stores: dict[str, Any] = {}
        self.failed = 0

    def answer(self, domain: Domain, item: CorpusItem) -> Sequence[str]:
        """Labels of the answers, or a verdict: false is refuted. A query that cannot be run answers nothing."""
        import pyoxigraph

        if domain.name not in self.stores:
            store = pyoxigraph.Store()
            store.load(to_rdf(domain.store).serialize(format="nt").encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
            self.stores[domain.name] = store
        relations = {_local(r): relation_iri(r) for r in domain.store.relation_ids()}
        listed = " ".join(f"p:{name}" for name in relations)
        asked = f"{'Question' if item.task == 'ask' else 'Claim'}: {item.text}"
        reply = self.model.invoke([("system", SYSTEM), ("user", f"{EXAMPLE}\nProperties: {listed}\n{asked}\n")]).text
        query = re.sub(
            r"p:([\w%.-]+)", lambda m: f"<{relations.get(m[1], 'urn:none')}>", reply.strip().split("\n\n")[0]
        )
        try:
            done = self.stores[domain.name].query(PREFIXES + query)
            if isinstance(done, pyoxigraph.QueryBoolean):
                return ["supported" if done else "refuted"] if item.task == "verify" else []
            first = [row[0] for row in islice(done, 1_000)]
        except (SyntaxError, ValueError, IndexError, TypeError, OSError):
            self.failed += 1
            return ["not_enough_evidence"] if item.task == "verify" else []
        if item.task == "verify":
            return ["supported" if first else "refuted"]
        return list(dict.fromkeys(self._label(domain.store, domain.name, term) for term in first if term is not None))

    def _label(self, kg: KGStore, name: str, term: Any) -> str:
        import pyoxigraph

        if isinstance(term, pyoxigraph.Literal):
            return term.value
        label = pyoxigraph.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
        found = next(self.stores[name].quads_for_pattern(term, label, None), None)
        return found.object.value if found else str(term)


def _local(relation: str) -> str:
    return re.sub(r"\W+", "_", re.split(r"[/#]", relation.rstrip("/#"))[-1])


def outcome(domain: Domain, item: CorpusItem, found: Sequence[str]) -> dict[str, Any]:
    """How a baseline's labels or verdict compare with an item's gold."""
    if item.task == "verify":
        return {"right": found[0] in item.answers, "verdict": found[0]}
    store = domain.store
    gold = {store.label(a) if item.query is None or item.query.form != "count" else a for a in item.answers}
    shared = len(set(found) & gold)
    return {
        "silent": not found,
        "right": not found if not gold else bool(found) and found[0] in gold,
        "f1": 2 * shared / (len(set(found)) + len(gold)) if found or gold else 1.0,
    }
