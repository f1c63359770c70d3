"""Between two of one class grammar tells which end of a relation each is."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, word_affinity

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.tools.query_graph.pruning.said_ends import is_spoken_of, of_said_ends, of_said_phrases

_PEOPLE = ("Ann Moss", "Bo Lind", "Cleo Vane", "Dan Ruiz")
POTTERS = Candidates(
    NetworkxStore(
        [
            ("Ann Moss", "mentor id", "Bo Lind"), ("Bo Lind", "mentor id", "Cleo Vane"),
            ("Cleo Vane", "mentor id", "Dan Ruiz"), ("Raku Day", "tutor id", "Bo Lind"), ("Raku Day", "is a", "Class"),
            *((name, "is a", "Member") for name in _PEOPLE),
        ],
        name="potters",
    )
)  # fmt: skip
ANN_HAS_BO = ("Ann Moss", "mentor id", "Bo Lind")
BO_HAS_ANN = ("Bo Lind", "mentor id", "Ann Moss")


@pytest.mark.parametrize(
    ("claim", "meant"),
    [
        ("Ann Moss is mentored by Bo Lind.", ANN_HAS_BO),
        ("Ann Moss's mentor is Bo Lind.", ANN_HAS_BO),
        ("Bo Lind mentors Ann Moss.", ANN_HAS_BO),
        ("Bo Lind is Ann Moss’s coach.", ANN_HAS_BO),
        ("Ann Moss mentors Bo Lind.", BO_HAS_ANN),
        ("ann moss's the one who taught bo lind", BO_HAS_ANN),
        ("Ann Moss learned it all from Bo Lind.", ANN_HAS_BO),
        ("Bo Lind is mentored by Ann Moss.", BO_HAS_ANN),
    ],
)
def test_no_claim_is_read_the_wrong_way_round(claim: str, meant: tuple[str, str, str]) -> None:
    sentence = POTTERS.generator.read(claim)
    drafts = ClaimRun(POTTERS.generator, sentence, word_affinity(POTTERS.schema, claim)).drafts()
    read = [d.rows for d in drafts]
    kept = [d.rows for d in of_said_ends(POTTERS.schema, sentence, drafts) if len(d.links) == 2]
    assert (ANN_HAS_BO,) in read and (BO_HAS_ANN,) in read
    assert [rows for rows in kept if rows in ((ANN_HAS_BO,), (BO_HAS_ANN,))] == [(meant,)]
    assert all(meant in rows for rows in kept if any(relation == "mentor id" for _, relation, _ in rows))


@pytest.mark.parametrize("claim", ["Bo Lind took Ann Moss under his wing.", "Bo Lind introduced Ann Moss to it."])
def test_the_doer_of_another_verb_is_the_mentor(claim: str) -> None:
    sentence = POTTERS.generator.read(claim)
    drafts = ClaimRun(POTTERS.generator, sentence, word_affinity(POTTERS.schema, claim)).drafts()
    kept = [d.rows for d in of_said_ends(POTTERS.schema, sentence, drafts)]
    assert (BO_HAS_ANN,) in [d.rows for d in drafts]
    assert (ANN_HAS_BO,) in kept and (BO_HAS_ANN,) not in kept


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who mentors Bo Lind?", {"Cleo Vane"}),
        ("Whom does Bo Lind mentor?", {"Ann Moss"}),
        ("Which member is mentored by Bo Lind?", {"Ann Moss"}),
        ("Who is Bo Lind mentored by?", {"Cleo Vane"}),
    ],
)
def test_the_end_that_is_asked_for(question: str, answers: set[str]) -> None:
    sentence, drafts = POTTERS.of(question)
    kept = of_said_ends(POTTERS.schema, sentence, drafts)
    plain = [d for d in kept if len(d.rows) == 1 and d.rows[0][1] == "mentor id" and d.links and not d.kind]
    assert {d.answers for d in plain if d.form == "select" and not d.minus and not d.order} == {frozenset(answers)}


@pytest.mark.parametrize(
    ("claim", "spoken"),
    [
        ("Ann Moss teaches Raku Day.", True),
        ("Ann Moss is the tutor of Raku Day.", True),
        ("Ann Moss runs Raku Day.", True),
        ("Ann Moss is responsible for Raku Day.", True),
        ("Ann Moss signed up for Raku Day.", False),
        ("Ann Moss is booked on Raku Day.", False),
        ("Ann Moss teaches on Raku Day.", True),
    ],
)
def test_who_takes_part_is_no_tutor(claim: str, spoken: bool) -> None:
    assert is_spoken_of(POTTERS.schema, POTTERS.generator.read(claim), "tutor id") == spoken


GALAS = Candidates(
    NetworkxStore(
        [
            *(
                ("Gala", "booked by", "Brook Bank"),
                ("Fair", "booked by", "Ann Moss"),
                ("Gala", "held at", "River Hall"),
            ),
            *(("Brook Bank", "phone", '"01904 555"'), ("Ann Moss", "phone", '"01904 777"'), ("Gala", "is a", "Event")),
            *(("Fair", "is a", "Event"), ("Fair", "held at", "Old Barn"), ("Brook Bank", "is a", "Client")),
        ]
    )
)


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("What was booked by Brook Bank?", "booked by"),
        ("what did Brook Bank book?", "booked by"),
        ("What was booked by the Brook Bank, and when?", "booked by"),
        ("What is the phone of Brook Bank?", ""),
        ("Who has booked?", ""),
        ("Which bank booked the Gala?", ""),  # the Gala books nothing
    ],
)
def test_a_relation_that_is_said_with_its_tail_is_held(question: str, relation: str) -> None:
    sentence, drafts = GALAS.of(question)
    kept = of_said_phrases(GALAS.schema, sentence, drafts)
    if relation:
        assert kept and all(any((r, t) == (relation, "Brook Bank") for _, r, t in d.rows) for d in kept if not d.minus)
    else:
        assert kept == drafts


STAFF = Candidates(
    NetworkxStore(
        [
            ("Ann Moss", "reports to", "Bo Lind"), ("Bo Lind", "reports to", "Cleo Vane"),
            ("Ann Moss", "shares office with", "Cleo Vane"), ("Bo Lind", "shares office with", "Dan Ruiz"),
            *((name, "is a", "Member") for name in _PEOPLE),
        ],
        name="staff",
    )
)  # fmt: skip


@pytest.mark.parametrize("claim", ["Cleo Vane is Ann Moss's boss.", "cleo vane is ann mosss boss"])
def test_the_relation_that_is_said_is_the_only_tie_of_two(claim: str) -> None:
    sentence = STAFF.generator.read(claim)
    drafts = ClaimRun(STAFF.generator, sentence, word_affinity(STAFF.schema, claim)).drafts()
    kept = [d.rows for d in of_said_ends(STAFF.schema, sentence, drafts) if len(d.links) == 2 and len(d.rows) == 1]
    assert any(d.rows[0][1] == "shares office with" for d in drafts if len(d.links) == 2 and len(d.rows) == 1)
    assert kept == [(("Ann Moss", "reports to", "Cleo Vane"),)]
