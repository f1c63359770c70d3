"""Ids as RDF terms and back, for every store that speaks RDF.

An id that is an IRI (http:, https:, urn:) is that IRI, a quoted literal is that literal, and any other id (a name out
of a TSV, a blank node of a file) is ``urn:triplewise:`` followed by the id, percent-encoded, so that each term gives
its id again. ``triplewise.kg.query.rdf_terms`` says the same of a graph in memory.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from triplewise.kg.names import literal_parts, quote_literal
from triplewise.kg.vocabulary import PROPERTY_LINKS

OWN = "urn:triplewise:"
"""The prefix of IRIs that stand for ids which are no IRIs."""
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
LABELS = (f"{_RDFS}label", f"{_SKOS}prefLabel", "http://schema.org/name", "https://schema.org/name")
"""Relations that tell an entity's label, the first that it has first."""
ALIAS = f"{_SKOS}altLabel"
DESCRIPTION = f"{_RDFS}comment"
LINKS = tuple(sorted(r for r in PROPERTY_LINKS if "://" in r))
"""Relations from a Wikibase's property, which has the label, to the relations that state it."""
META = frozenset({*LABELS, ALIAS, DESCRIPTION, RDF_TYPE, *LINKS})
"""Statements about names and classes: they are no triples of the graph."""
SHORT = {
    "rdfs:label": LABELS[0], "skos:prefLabel": LABELS[1], "schema:name": LABELS[2], "skos:altLabel": ALIAS,
    "rdfs:comment": DESCRIPTION, "rdf:type": RDF_TYPE,
    **{f"wikibase:{link.rpartition('#')[2]}": link for link in LINKS},
}  # fmt: skip
"""The prefixed names under which delimited files tell these."""
XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"

_CHARS = r"[^\x00-\x20<>\"{}|^`\\\ud800-\udfff]"
_IRI = re.compile(rf"(?:https?://|urn:(?!triplewise:)){_CHARS}+")
_ANY_IRI = re.compile(rf"[A-Za-z][A-Za-z0-9+.-]*:{_CHARS}+")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"(?:@(?P<language>[A-Za-z][A-Za-z0-9-]*)|\^\^<(?P<datatype>[^<>]*)>)?', re.S)
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": ""})


def id_to_iri(node: str) -> str:
    """The IRI of an id that is no literal."""
    return node if _IRI.fullmatch(node) else own_iri(node)


def own_iri(node: str) -> str:
    """The IRI under ``urn:triplewise:`` that stands for an id."""
    return OWN + quote(node, safe="", errors="surrogatepass")


def iri_to_id(iri: str) -> str:
    """The id that an IRI stands for."""
    return unquote(iri[len(OWN) :], errors="surrogatepass") if iri.startswith(OWN) else iri


def split_literal(node: str) -> tuple[str, str, str] | None:
    """(value, language, datatype) of a literal's id; None for an entity and for a quoted form that is not canonical."""
    parts = literal_parts(node)
    if parts is None or (match := _LITERAL.fullmatch(node)) is None:
        return None
    language, datatype = match["language"] or "", match["datatype"] or ""
    if datatype and not _ANY_IRI.fullmatch(datatype):
        return None
    if quote_literal(parts.value, language, datatype) != node or _surrogate(parts.value):
        return None
    return parts.value, language, datatype


def _surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)


def sparql_term(node: str) -> str:
    """A node's id as SPARQL and N-Triples write it."""
    if (parts := split_literal(node)) is None:
        return f"<{id_to_iri(node)}>"
    value, language, datatype = parts
    return sparql_string(value) + (f"@{language}" if language else f"^^<{datatype}>" if datatype else "")


def sparql_string(text: str) -> str:
    """A text as a SPARQL string literal."""
    return f'"{text.translate(_ESCAPES)}"'


def sparql_relation(relation: str) -> str:
    """A relation's id as SPARQL writes it."""
    return f"<{id_to_iri(relation)}>"


def literal_id(value: str, language: str = "", datatype: str = "") -> str:
    """The id of a literal term."""
    return quote_literal(value, language, "" if datatype == XSD_STRING or language else datatype)
