"""A graph of services with relations of a verb and a preposition, asked and verified with the ranker that ships."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import ask, verify
from triplewise.kg import NetworkxStore

_DEPENDS = (("booking", "ledger"), ("booking", "identity"), ("webshop", "booking"), ("ledger", "archive"))
_REPORTS = (("Bruno Maier", "Yuki Tanabe"), ("Hana Novak", "Yuki Tanabe"), ("Yuki Tanabe", "Ronan Walsh"))
_PROFILES = {
    "booking": ("1", "yes"), "ledger": ("1", "no"), "identity": ("2", "no"), "webshop": ("2", "yes"),
    "archive": ("3", "yes"),
}  # fmt: skip
_SIZES = {"ledger-db": "400", "booking-db": "90", "archive-db": "1200"}
SERVICES = NetworkxStore(
    [
        *((one, "depends_on", other) for one, other in _DEPENDS),
        *((one, "reports_to", other) for one, other in _REPORTS),
        *((name, "is_a", "service") for name in _PROFILES),
        *((name, "criticality", f'"{level}"') for name, (level, _) in _PROFILES.items()),
        *((name, "runbook", f'"{told}"') for name, (_, told) in _PROFILES.items()),
        *((name, "is_a", "database") for name in _SIZES),
        *((name, "size_gb", f'"{size}"') for name, size in _SIZES.items()),
        *((name, "is_a", "person") for name in ("Bruno Maier", "Hana Novak", "Yuki Tanabe", "Ronan Walsh")),
        *((name, "is_a", "incident") for name in ("INC-1", "INC-2")),
        *(("INC-1", "started", '"2024-02-01"'), ("INC-2", "started", '"2025-03-04"')),
        *(("INC-1", "customers_affected", '"900"'), ("INC-2", "customers_affected", '"12"')),
        ("ledger-db", "backed_up", '"hourly"'),
        ("archive-db", "backed_up", '"daily"'),
        ("Ronan Walsh", "married_to", "Petra Lund"),
        ("Petra Lund", "is_a", "person"),
    ],
    name="services",
)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What depends on ledger?", {"booking"}),
        ("What does booking depend on?", {"ledger", "identity"}),
        ("Which services have no runbook?", {"ledger", "identity"}),
        ("criticality 1 services without a runbook?", {"ledger"}),
        ("Which databases are bigger than 5000 GB?", set()),
        ("which incidents started in March?", {"INC-2"}),
        ("which incident started on 1 February?", {"INC-1"}),
        ("most recent incident?", {"INC-2"}),
        ("which database is the biggest?", {"archive-db"}),
        ("Who is Hana Novak married to?", set()),
    ],
)
def test_questions(question: str, answers: set[str]) -> None:
    assert {a.label for a in ask(SERVICES, question, method="query-graph").answers} == answers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("booking depends on ledger.", "supported"),
        ("ledger depends on booking.", "refuted"),
        ("booking doesn't depend on ledger.", "refuted"),
        ("Bruno reports to Yuki.", "supported"),
        ("Yuki reports to Bruno.", "refuted"),
        ("All criticality 1 services have a runbook.", "refuted"),
        ("Harold depends on ledger.", "not_enough_evidence"),
        ("archive-db isn't bigger than ledger-db.", "refuted"),
        ("ledger-db isn't any bigger than archive-db.", "supported"),
        ("ledger-db is no bigger than archive-db.", "supported"),
        ("booking-db isn't as big as ledger-db.", "supported"),
        ("The ledger service depends on archive.", "supported"),
    ],
)
def test_claims(claim: str, verdict: str) -> None:
    result = verify(SERVICES, claim, method="query-graph")
    assert result.verdict == verdict, result.reading


SUPERVISED = NetworkxStore(
    [
        *((name, "is_a", "engineer") for name in ("Gareth Prosser", "David Kilbride", "Priya Raman")),
        *((name, "supervised_by", "Gareth Prosser") for name in ("David Kilbride", "Priya Raman")),
    ],
    name="firm",
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("David reports to Gareth.", "supported"),
        ("Gareth is David's boss.", "supported"),
        ("Gareth reports to David.", "not_enough_evidence"),
        ("Gareth's boss is David.", "not_enough_evidence"),
        ("David manages Gareth.", "not_enough_evidence"),
    ],
)
def test_who_supervises_is_a_boss(claim: str, verdict: str) -> None:
    assert verify(SUPERVISED, claim, method="query-graph").verdict == verdict
