"""A graph as RDF: how ids become terms, so that SPARQL over it means what query graphs mean.

- An id that is an IRI (http:, https:, urn:) stays; any other id, a blank node's too, is ``urn:triplewise:`` with the id
  percent-encoded behind it. Blank nodes get names because a SPARQL query cannot name one.
- A literal's quoted form is the RDF literal that it quotes, its digits as they are written ("05" stays "05").
  It is written as an id where RDF has no such literal: where it is the head of a triple, where datatype or language tag
  are none, and where an earlier id of the graph is the same RDF term (``"a"@en`` and ``"a"@EN``).
- Classes are ``rdf:type``, other names ``skos:altLabel`` with plain literals, labels ``rdfs:label``, whatever the graph
  itself calls these relations. The triples that told them stay, under their relations' own ids.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import quote
from weakref import WeakKeyDictionary

from triplewise.kg.base import KGStore
from triplewise.kg.names import literal_parts, quote_literal
from triplewise.kg.query.graph import NAME, TYPE

if TYPE_CHECKING:
    import rdflib

PREFIX = "urn:triplewise:"
_IRI_CHARS = r'[^\x00-\x20<>"{}|^`\\\ud800-\udfff]'
_IRI = re.compile(rf"(?:https?://|urn:(?!triplewise:)){_IRI_CHARS}+")
_LITERAL = re.compile(rf'"(?:[^"\\]|\\.)*"(?:@([A-Za-z]+(?:-[A-Za-z0-9]+)*)|\^\^<([A-Za-z]{_IRI_CHARS}+)>)?', re.S)
_RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_ALT_LABEL = "http://www.w3.org/2004/02/skos/core#altLabel"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_tables: WeakKeyDictionary[KGStore, dict[str, rdflib.Literal]] = WeakKeyDictionary()


def to_rdf(store: KGStore) -> rdflib.Graph:
    """The graph as RDF: its triples, classes, other names and labels; the module says how ids become terms."""
    import rdflib

    graph = rdflib.Graph()
    for head, relation, tail in store.triples():
        graph.add((node_term(store, head), rdflib.URIRef(_stored(relation)), node_term(store, tail)))
    for entity in store.entities():
        term = node_term(store, entity)
        graph.add((term, rdflib.URIRef(_LABEL), rdflib.Literal(store.label(entity))))
        for type_id in store.types(entity):
            graph.add((term, rdflib.URIRef(_RDF_TYPE), node_term(store, type_id)))
        for alias in store.aliases(entity):
            graph.add((term, rdflib.URIRef(_ALT_LABEL), node_term(store, quote_literal(alias))))
    return graph


def node_term(store: KGStore, node: str) -> rdflib.URIRef | rdflib.Literal:
    """The RDF term of a node's id."""
    import rdflib

    if (literal := _literals(store).get(node)) is not None:
        return literal
    return rdflib.URIRef(_iri(node))


def relation_iri(relation: str) -> str:
    """The IRI of a relation's id in a pattern; ``TYPE`` and ``NAME`` are rdf:type and skos:altLabel."""
    return {TYPE: _RDF_TYPE, NAME: _ALT_LABEL}.get(relation) or _stored(relation)


def _stored(relation: str) -> str:
    """A relation of the store; one that is named as classes, names and labels are is kept apart from these."""
    return _encoded(relation) if relation in (_RDF_TYPE, _ALT_LABEL, _LABEL) else _iri(relation)


@lru_cache(maxsize=65_536)
def _iri(name: str) -> str:
    return name if _IRI.fullmatch(name) else _encoded(name)


def _encoded(name: str) -> str:
    return PREFIX + quote(name, safe="", errors="surrogatepass")


def _literals(store: KGStore) -> dict[str, rdflib.Literal]:
    """The literals of a store that RDF can say, found once: the first id that means a term has it."""
    if (table := _tables.get(store)) is not None:
        return table
    logging.getLogger("rdflib").setLevel(logging.ERROR)  # it logs each odd number or date; they stay as they are
    heads = {t.head for t in store.triples() if t.head.startswith('"')}
    tails = (t.tail for t in store.triples() if t.tail.startswith('"'))
    classes = (t for e in store.entities() for t in store.types(e) if t.startswith('"'))
    names = (quote_literal(a) for e in store.entities() for a in store.aliases(e))
    table = {}
    taken: set[tuple[str, str, str]] = set()
    for node in dict.fromkeys(chain(tails, classes, names)):
        if node not in heads and (literal := _literal(node)) is not None:
            meaning = (str(literal), (literal.language or "").lower(), str(literal.datatype or ""))
            if meaning not in taken:
                taken.add(meaning)
                table[node] = literal
    _tables[store] = table
    return table


def _literal(node: str) -> rdflib.Literal | None:
    import rdflib

    parts, match = literal_parts(node), _LITERAL.fullmatch(node)
    if parts is None or match is None:
        return None
    language, datatype = match.groups()
    iri = rdflib.URIRef(datatype) if datatype and datatype != _STRING else None
    return rdflib.Literal(parts.value, lang=language, datatype=iri, normalize=False)
