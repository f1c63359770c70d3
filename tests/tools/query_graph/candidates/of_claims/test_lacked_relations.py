"""Claims that a thing has, or has not, what few of its kind have."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, word_affinity

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.tools.query_graph.candidates.of_claims.lacked_relations import lacked_relations
from triplewise.tools.query_graph.claims.verdict import Judge

_STAFF = [f"Nurse {i}" for i in range(20)]
WARD = Candidates(
    NetworkxStore(
        [
            *((nurse, "works on", f"Ward {i % 3}") for i, nurse in enumerate(_STAFF)),
            ("Nurse 0", "mentor", "Nurse 1"),
            ("Ward 0", "matron", "Nurse 3"),
        ],
        types={nurse: ["Nurse"] for nurse in _STAFF},
    )
)


@pytest.mark.parametrize(
    ("claim", "reading"),
    [
        ("Nurse 7 has a mentor.", "claim: Nurse 7 → mentor → ?"),
        ("Nurse 7 never had mentors.", "not claim: Nurse 7 → mentor → ?"),
    ],
)
def test_what_is_said_may_be_lacked(claim: str, reading: str) -> None:
    sentence = WARD.generator.read(claim)
    drafts = ClaimRun(WARD.generator, sentence, word_affinity(WARD.schema, claim)).drafts()
    found = {WARD.verbaliser.reading(draft, sentence): draft for draft in drafts}
    assert Judge(WARD.schema).verdict(found[reading].query())[0] == "not_enough_evidence"
    assert Judge(WARD.schema, closed_world=True).verdict(found[reading].query())[0] != "not_enough_evidence"


@pytest.mark.parametrize(
    ("claim", "relations"),
    [
        ("Nurse 7 has a mentor.", ["mentor"]),
        ("Nurse 7 works on Ward 1.", []),  # she does work on a ward
        ("Nurse 0 has a mentor.", []),
        ("Somebody has a mentor.", []),
        ("Nurse 7 does not have any matron.", ["matron"]),  # no nurse has one
        ("Nurse 7 is no friend of a matron.", []),
    ],
)
def test_what_is_lacked_is_said(claim: str, relations: list[str]) -> None:
    run = WARD.generator.run(WARD.generator.read(claim), word_affinity(WARD.schema, claim))
    assert [draft.rows[0][1] for draft in lacked_relations(run)] == relations
