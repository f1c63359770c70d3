"""Claims of neither of two."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import verify
from triplewise.kg import KGStore


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Neither Heron nor Osprey is owned by Ann Doyle.", "supported"),
        ("Neither Heron nor Falcon is owned by Ann Doyle.", "refuted"),
        ("Neither the Heron nor the Osprey was built after 2006.", "refuted"),
        ("Neither Heron nor Osprey was built in 1998.", "supported"),
        ("Falcon is owned by neither Ann Doyle nor Cal Hume.", "refuted"),
        ("So neither of Ann Doyle and Cal Hume owns Falcon.", "refuted"),
        ("Falcon is owned by neither Ann Doyle nor Zed Quine.", "not_enough_evidence"),
        ("Neither Heron nor the Titanic is owned by Ann Doyle.", "not_enough_evidence"),
    ],
)
def test_claims_of_neither(boats: KGStore, claim: str, verdict: str) -> None:
    assert verify(boats, claim, method="query-graph").verdict == verdict
