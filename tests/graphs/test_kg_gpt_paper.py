"""KG-GPT as the paper prints it: candidates of appendix B, verdicts on no evidence, the examples, the baseline."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.agents.kg_gpt.few_shot import example_records, examples_text
from triplewise.agents.kg_gpt.relation_selector import Candidates, claim_candidates, question_candidates
from triplewise.agents.state import SubSentence
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError
from triplewise.graphs import kg_gpt
from triplewise.kg import NetworkxStore
from triplewise.tools.retrieval.pattern_join import Term

SHIPS = NetworkxStore(
    [
        ("AIDAstella", "shipBuilder", "Meyer Werft"),
        ("Meyer Werft", "location", "Papenburg"),
        ("Papenburg", "country", "Germany"),
        ("Other Ship", "shipBuilder", "Other Yard"),
        ("Other Yard", "location", "Turku"),
        ("Harbour", "location", "Nowhere"),
    ],
    types={"AIDAstella": ["Ship"], "Meyer Werft": ["Company"], "Other Yard": ["Company"], "Papenburg": ["City"]},
    name="ships",
)
FILMS = NetworkxStore(
    [
        ("Heat", "directed_by", "Michael Mann"),
        ("Heat", "release_year", "1995"),
        ("Collateral", "directed_by", "Michael Mann"),
        ("Collateral", "starred_actors", "Tom Cruise"),
        ("Top Gun", "starred_actors", "Tom Cruise"),
        ("Top Gun", "has_genre", "Action"),
    ]
)


def part(*ends: Term) -> SubSentence:
    return SubSentence("x", ends)


NAMED, TYPED = Term(entity="Papenburg"), Term(variable="company", type="Company")


@pytest.mark.parametrize(
    ("ends", "printed", "published"),
    [
        ((Term(entity="AIDAstella"), Term(entity="Meyer Werft")), {"shipBuilder"}, {"shipBuilder"}),
        ((TYPED, NAMED), {"location"}, {"location"}),
        ((TYPED, Term(entity="Nowhere")), {"location"}, {"location"}),
        # A company is only ever the tail of shipBuilder: the published code's index knows types as heads alone.
        ((Term(entity="AIDAstella"), TYPED), {"shipBuilder"}, set()),
        # No entity: R_E is empty and so is its intersection with R_T; the code then takes the types' side.
        ((TYPED, Term(variable="somewhere")), set(), {"location"}),
        ((Term(entity="AIDAstella"), NAMED), set(), set()),
    ],
)
def test_algorithm_1_as_printed_and_as_published(
    ends: tuple[Term, ...], printed: set[str], published: set[str]
) -> None:
    assert claim_candidates(SHIPS, part(*ends), "paper") == printed
    assert claim_candidates(SHIPS, part(*ends), "published") == published


@pytest.mark.parametrize(
    ("rule", "hops", "found"),
    [
        ("facing", 0, {"directed_by", "release_year"}),
        ("published", 0, {"directed_by", "release_year"}),
        ("paper", 0, {"directed_by", "release_year"}),  # two sub-sentences: two hops
        ("paper", 3, {"directed_by", "release_year", "starred_actors"}),
    ],
)
def test_candidates_of_a_question_are_those_within_n_hops_of_the_seed(
    rule: Candidates, hops: int, found: set[str]
) -> None:
    answer = Term(variable="answer")
    subs = (part(Term(entity="Heat"), Term(variable="d")), part(answer, Term(variable="d")))
    assert question_candidates(FILMS, subs, 0, ("Heat",), rule, hops) == found
    assert question_candidates(FILMS, subs, 1, ("Heat",), "paper", 3) == {*found, "directed_by", "starred_actors"}


@pytest.mark.parametrize("preset", ["paper", "reference"])
def test_a_claim_without_evidence_is_put_to_the_model_and_gets_true_or_false(preset: str) -> None:
    replies = {"Divide": "1. AIDAstella is in Papenburg., Entity set: ['AIDAstella' ## 'Papenburg']"}

    def reply(messages: list, kwargs: dict) -> str:
        text = messages[0].text
        return next((v for k, v in replies.items() if k in text), "False, there is not enough evidence for it.")

    model = ScriptedChatModel(responses=reply)
    result = triplewise.verify(SHIPS, "AIDAstella is in Papenburg.", model=model, preset=preset)
    assert (result.verdict, result.evidence, result.citations) == ("refuted", (), ())
    assert model.calls[-1][0][0].text.rstrip().endswith("Evidence set: []\nAnswer:")


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_the_examples_of_a_hop_count(hops: int) -> None:
    records = example_records("ask", "paper", hops)
    sizes = {1: 2.16, 2: 4.53, 3: 3.59}  # Table 14, k = 3
    assert len(records) == 12 and len({r["sentence"] for r in records}) == 12
    assert all(len(r["parts"]) == hops for r in records)
    assert sum(len(r["evidence"]) for r in records) / 12 == pytest.approx(sizes[hops], rel=0.15)
    for record in records:
        said = {end for h, _, t in record["evidence"] for end in (h, t)}
        assert {record["answer"], *record["entities"]} <= said  # answers are what the prompt offers
        assert {r for _, r, _ in record["evidence"]} <= {r for p in record["parts"] for r in p["relations"]}
        assert all(set(p["relations"]) <= set(p["candidates"]) for p in record["parts"])
        assert all("_" in name for p in record["parts"] for name in p["candidates"])  # as the live lists write them
    assert "not enough evidence" not in examples_text("infer", "ask", "paper", 12, hops)


def test_the_examples_of_claims() -> None:
    records = example_records("verify", "paper")
    parts = [p for r in records for p in r["parts"]]
    assert len(records) == 12 and all(11 <= len(p["candidates"]) <= 13 for p in parts)
    assert all(set(p["relations"]) <= set(p["candidates"]) for p in parts)
    assert "Words set: ['opus'" in examples_text("select", "verify", "paper", 1)
    assert "Relations: opus ; catalogue ; premiere place" in examples_text("select", "verify", "compact", 1)
    assert "directed by" in examples_text("infer", "ask", "compact", 12)
    assert "directed_by" not in examples_text("infer", "ask", "compact", 12)


def test_where_the_hops_are_not_known_the_examples_are_of_all_three() -> None:
    records = example_records("ask", "paper")
    assert [len(r["parts"]) for r in records] == [1, 2, 3] * 4
    assert kg_gpt.settings("paper", hops=2).segmenter.hops == 2
    with pytest.raises(ConfigError, match="hops is 4"):
        kg_gpt.settings("paper", hops=4)


def test_the_baseline_is_shown_the_sentence_alone() -> None:
    model = ScriptedChatModel(responses=["True."])
    result = triplewise.verify(SHIPS, "AIDAstella was built by Meyer Werft.", model=model, preset="sentence")
    (messages, _), *more = model.calls
    assert (result.verdict, result.evidence, more) == ("supported", (), [])
    assert messages[0].text.count("Claim:") == 13 and "shipBuilder" not in messages[0].text
    assert any("not looked at" in w for w in result.warnings)
    model = ScriptedChatModel(responses=["'Tom Cruise'"])
    told = triplewise.ask(FILMS, "who plays in [Collateral]", model=model, preset="sentence", shots=4, hops=1)
    assert ([a.id for a in told.answers], told.text, told.citations) == (["Tom Cruise"], "Tom Cruise", ())
    assert model.calls[0][0][0].text.count("Question:") == 5
    alone = ScriptedChatModel(responses=["False"])
    denied = triplewise.verify(SHIPS, "Papenburg is in Peru.", model=alone, preset="sentence", shots=0)
    prompt = alone.calls[0][0][0].text
    assert (denied.verdict, prompt.count("Claim:"), "xamples" in prompt) == ("refuted", 1, False)
    unknown = ScriptedChatModel(responses=["Nobody at all"])
    assert triplewise.ask(FILMS, "who plays in [Collateral]", model=unknown, preset="sentence").answers == ()
