"""The graphs of the store tests: one in RDF with labels, one whose names are its ids."""

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
}
