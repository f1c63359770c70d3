"""What RDF of the web calls names and properties, beside rdfs:label, skos:prefLabel and schema:name.

Each relation stands here as an IRI and, for delimited files, under its usual prefix.
"""

from __future__ import annotations

_FOAF, _DCT, _DC = "http://xmlns.com/foaf/0.1/", "http://purl.org/dc/terms/", "http://purl.org/dc/elements/1.1/"
NAMES = {
    f"{_FOAF}name": 0, "foaf:name": 0,
    f"{_DCT}title": 1, "dct:title": 1, "dcterms:title": 1,
    f"{_DC}title": 2, "dc:title": 2,
    "http://www.w3.org/2006/vcard/ns#fn": 3, "vcard:fn": 3,
}  # fmt: skip
"""Relations that name what has no label, and which comes first. Beside a label a title may tell more: it stays a
triple."""
NAME_PARTS = tuple(
    (f"{space}givenName", f"{space}familyName")
    for space in ("http://schema.org/", "https://schema.org/", "schema:", _FOAF, "foaf:")
)
"""The two parts of a person's name. They stay triples: which of them is the family name, the label does not tell."""
PROPERTY_LINKS = frozenset(
    f"{space}{name}"
    for space in ("http://wikiba.se/ontology#", "wikibase:")
    for name in (
        "directClaim", "directClaimNormalized", "claim", "statementProperty", "statementValue",
        "statementValueNormalized", "qualifier", "qualifierValue", "qualifierValueNormalized", "reference",
        "referenceValue", "referenceValueNormalized", "novalue", "propertyType",
    )
)  # fmt: skip
"""Wikibase's bookkeeping of a property: the entity that has its label, and the relations that state it."""
