"""The graphs of the store tests: one in RDF with labels, one whose names are its ids, one as Wikidata writes it."""

SHIPS_NT = """\
# ships and harbours
<http://ex.org/s/rose> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://ex.org/Ship> .
<http://ex.org/s/rose> <http://www.w3.org/2000/01/rdf-schema#label> "Rose"@en .
<http://ex.org/s/rose> <http://www.w3.org/2000/01/rdf-schema#label> "Rosa"@de .
<http://ex.org/s/rose> <http://www.w3.org/2004/02/skos/core#altLabel> "The Red Lady" .
<http://ex.org/s/rose> <http://www.w3.org/2000/01/rdf-schema#comment> "A schooner."@en .
<http://ex.org/s/rose> <http://ex.org/builtIn> "1911"^^<http://www.w3.org/2001/XMLSchema#gYear> .
<http://ex.org/s/rose> <http://ex.org/homePort> <http://ex.org/p/alesund> .
<http://ex.org/s/rose> <http://ex.org/lengthM> "31"^^<http://www.w3.org/2001/XMLSchema#integer> .
<http://ex.org/s/rose> <http://ex.org/owner> _:family .
_:family <http://ex.org/familyName> "Vik" .
<http://ex.org/s/gull> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://ex.org/Ship> .
<http://ex.org/s/gull> <http://www.w3.org/2000/01/rdf-schema#label> "Gull" .
<http://ex.org/s/gull> <http://ex.org/builtIn> "1958"^^<http://www.w3.org/2001/XMLSchema#gYear> .
<http://ex.org/s/gull> <http://ex.org/homePort> <http://ex.org/p/bergen> .
<http://ex.org/s/gull> <http://ex.org/lengthM> "12"^^<http://www.w3.org/2001/XMLSchema#integer> .
<http://ex.org/s/gull> <http://ex.org/motto> "with \\"quotes\\", a tab\\tand \\u00C5"@en .
<http://ex.org/s/gull2> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://ex.org/Ship> .
<http://ex.org/s/gull2> <http://www.w3.org/2000/01/rdf-schema#label> "Gull" .
<http://ex.org/s/gull2> <http://ex.org/builtIn> "1990"^^<http://www.w3.org/2001/XMLSchema#gYear> .
<http://ex.org/s/gull2> <http://ex.org/homePort> <http://ex.org/p/bergen> .
<http://ex.org/p/alesund> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://ex.org/Port> .
<http://ex.org/p/alesund> <http://www.w3.org/2000/01/rdf-schema#label> "\\u00C5lesund"@no .
<http://ex.org/p/alesund> <http://ex.org/country> <http://ex.org/c/norway> .
<http://ex.org/p/bergen> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://ex.org/Port> .
<http://ex.org/p/bergen> <http://www.w3.org/2000/01/rdf-schema#label> "Bergen" .
<http://ex.org/p/bergen> <http://ex.org/country> <http://ex.org/c/norway> .
<http://ex.org/c/norway> <http://www.w3.org/2000/01/rdf-schema#label> "Norway" .
<http://ex.org/s/rose> <http://ex.org/writeTo> <mailto:rose@ex.org> .
<http://ex.org/Ship> <http://www.w3.org/2000/01/rdf-schema#label> "ship" .
<http://ex.org/homePort> <http://www.w3.org/2000/01/rdf-schema#label> "home port" .
"""

CLUB_TSV = """\
Ada Holm\tis a\tmember
Ben Ruiz\tis a\tmember
Cy Tan\tis a\tmember
Dee Moss\tis a\tcoach
Rook Hall\tis a\tvenue
Ada Holm\talso known as\tAddy
Ben Ruiz\talso known as\tBig Ben
Ada Holm\ttrained by\tDee Moss
Ben Ruiz\ttrained by\tDee Moss
Ada Holm\tplays at\tRook Hall
Cy Tan\tplays at\tRook Hall
Ada Holm\trating\t1,810
Ben Ruiz\trating\t1650
Cy Tan\trating\t990
Ada Holm\tjoined\t2014-08-11
Ben Ruiz\tjoined\t2019-01-02
Ada Holm\tbeat\tBen Ruiz
Ben Ruiz\tbeat\tCy Tan
Cy Tan\tbeat\tAda Holm
Rook Hall\thouse rule: no 2\t100% <quiet> & "calm"
?x\tbeat\tCy Tan
"""

_WD, _PROP = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/"
_RDFS, _XSD = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2001/XMLSchema#"
BRIDGES_NT = "".join(
    " ".join(part if part.startswith(('"', "_:")) else f"<{part}>" for part in statement) + " .\n"
    for statement in [
        *(
            (f"{_WD}{number}", relation, value)
            for number, label in (("P84", "architect"), ("P31", "instance of"))
            for relation, value in (
                (f"{_RDFS}label", f'"{label}"@en'),
                ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://wikiba.se/ontology#Property"),
                ("http://wikiba.se/ontology#directClaim", f"{_PROP}direct/{number}"),
                ("http://wikiba.se/ontology#claim", f"{_PROP}{number}"),
                ("http://wikiba.se/ontology#statementProperty", f"{_PROP}statement/{number}"),
            )
        ),
        *((f"{_WD}Q{n}", f"{_RDFS}label", f'"{label}"@en') for n, label in enumerate(
            ["Ansel Gate", "Old Bridge", "Mill Span", "arch bridge", "bridge", "structure", "Tobias Renn", "person"]
        )),
        *((f"{_WD}Q{n}", f"{_PROP}direct/P31", f"{_WD}Q{c}") for n, c in ((0, 3), (1, 4), (2, 4), (6, 7))),
        (f"{_WD}Q3", f"{_PROP}direct/P279", f"{_WD}Q4"),
        (f"{_WD}Q3", f"{_RDFS}subClassOf", f"{_WD}Q5"),
        (f"{_WD}Q4", f"{_RDFS}subClassOf", f"{_WD}Q5"),
        (f"{_WD}Q5", f"{_RDFS}subClassOf", f"{_WD}Q4"),
        (f"{_WD}Q2", f"{_PROP}direct/P31", f"{_WD}Q3"),
        (f"{_WD}Q0", f"{_PROP}direct/P84", f"{_WD}Q6"),
        (f"{_WD}Q0", f"{_PROP}P84", f"{_WD}statement/Q0-1"),
        (f"{_WD}statement/Q0-1", f"{_PROP}statement/P84", f"{_WD}Q6"),
        (f"{_WD}statement/Q0-1", f"{_RDFS}label", '"the contract for the gate"'),
        (f"{_WD}Q1", f"{_PROP}direct/P84", f"{_WD}Q6"),
        (f"{_WD}Q0", f"{_PROP}direct/P2043", f'"812"^^<{_XSD}decimal>'),
        (f"{_WD}Q1", f"{_PROP}direct/P2043", f'"90"^^<{_XSD}decimal>'),
    ]
)  # fmt: skip
"""Wikidata's way: labels of properties, classes above classes, in a circle."""

QUERIES = {
    "ships": [
        {
            "select": "?s",
            "where": [
                ["?s", "http://ex.org/homePort", "?p"],
                ["?p", "http://ex.org/country", "http://ex.org/c/norway"],
            ],
        },
        {"select": "?s", "where": [["?s", "http://ex.org/builtIn", "?y"]], "filter": [["?y", ">", "1950"]]},
        {"select": "?s", "where": [["?s", "http://ex.org/lengthM", "?l"]], "order": {"by": "?l", "desc": True}},
        {"count": "?s", "where": [["?s", "rdf:type", "http://ex.org/Ship"]]},
        {
            "select": "?n",
            "where": [["http://ex.org/s/rose", "http://ex.org/owner", "?o"], ["?o", "http://ex.org/familyName", "?n"]],
        },
        {"select": "?s", "where": [["?s", "skos:altLabel", '"The Red Lady"']]},
        {
            "select": "?p",
            "where": [["?p", "rdf:type", "http://ex.org/Port"]],
            "minus": [["http://ex.org/s/rose", "http://ex.org/homePort", "?p"]],
        },
        {"ask": "none", "where": [["http://ex.org/s/gull", "http://ex.org/homePort", "http://ex.org/p/alesund"]]},
        {"ask": "some", "where": [["http://ex.org/s/gull", "http://ex.org/homePort", "http://ex.org/p/bergen"]]},
        {"select": "?p", "where": [["?s", "http://ex.org/homePort", "?p"]], "order": {"by": "count ?s", "desc": True}},
        {"select": "?s", "where": [["?s", "http://ex.org/homePort", "?p"]], "filter": [["?p", "=", "bergen"]]},
        {
            "select": "?s",
            "where": [["?s", "http://ex.org/homePort", "?p"], ["?t", "http://ex.org/homePort", "?p"]],
            "filter": [["?s", "not in", "?t"]],
        },
    ],
    "club": [
        {
            "select": "?m",
            "where": [["?m", "rdf:type", "member"], ["?m", "rating", "?r"]],
            "filter": [["?r", ">", "1000"]],
        },
        {"select": "?m", "where": [["?m", "rating", "?r"]], "order": {"by": "?r", "desc": False}},
        {"select": "?m", "where": [["?m", "joined", "?d"]], "filter": [["?d", "year", "2014"]]},
        {"select": "?m", "where": [["?m", "skos:altLabel", '"Addy"']]},
        {"select": "?w", "where": [["?w", "beat", "?l"], ["?l", "trained by", "Dee Moss"]]},
        {"select": "?w", "where": [["?w", "beat", "?l"]], "filter": [["?l", "in", ["Cy Tan", "Ada Holm"]]]},
        {"count": "?m", "where": [["?m", "trained by", "Dee Moss"]], "compare": ["=", "2"]},
        {"select": "?m", "where": [["?m", "rdf:type", "member"]], "minus": [["?m", "trained by", "?c"]]},
        {"select": "?t", "where": [["Rook Hall", "house rule: no 2", "?t"]]},
        {"select": "?l", "where": [[{"id": "?x"}, "beat", "?l"]]},
    ],
    "bridges": [
        {"count": "?b", "where": [["?b", "rdf:type", f"{_WD}Q4"]]},
        {"select": "?c", "where": [[f"{_WD}Q0", "rdf:type", "?c"]]},
        {"ask": "some", "where": [[f"{_WD}Q0", "rdf:type", f"{_WD}Q5"]]},
        {"ask": "none", "where": [[f"{_WD}Q6", "rdf:type", f"{_WD}Q4"]]},
        {
            "select": "?a",
            "where": [["?b", "rdf:type", f"{_WD}Q5"], ["?b", f"{_PROP}direct/P84", "?a"]],
        },
        {
            "select": "?b",
            "where": [["?b", "rdf:type", f"{_WD}Q4"]],
            "minus": [["?b", f"{_PROP}direct/P84", f"{_WD}Q6"]],
        },
        {"select": "?b", "where": [["?b", f"{_PROP}direct/P2043", "?l"]], "filter": [["?l", ">", "100"]]},
    ],
}
