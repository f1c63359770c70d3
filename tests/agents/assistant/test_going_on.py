"""Conversations that go on in the ways of people at work, over a small graph of a boatyard, by the ranker that ships."""

from __future__ import annotations

import asyncio

import pytest
from langchain_core.language_models.fake_chat_models import FakeListChatModel

from triplewise.agents.assistant.events import Answered
from triplewise.graphs.assistant import Assistant
from triplewise.kg import KGStore, load_kg

YARD = """\
Bert Cuddy\tis a\tmechanic
Bert Cuddy\tstarted on\t2011-01-17
Bert Cuddy\tgoes by\tKipper
Nell Harker\tis a\tmechanic
Nell Harker\tstarted on\t2021-06-14
Nell Harker\tgoes by\tNelly
Goose engine job\tis a\tjob
Goose engine job\tboat\tOld Goose
Goose engine job\tdone by\tBert Cuddy
Goose engine job\tday\t2024-06-20
Goose engine job\tcost\t340
Goose engine job\tpart fitted\twater pump
Thistle prop job\tis a\tjob
Thistle prop job\tboat\tSea Thistle
Thistle prop job\tdone by\tBert Cuddy
Thistle prop job\tday\t2024-04-02
Thistle prop job\tcost\t120
Nimbus steering job\tis a\tjob
Nimbus steering job\tboat\tNimbus
Nimbus steering job\tdone by\tBert Cuddy
Nimbus steering job\tday\t2024-08-27
Nimbus steering job\tcost\t210
Nimbus sail job\tis a\tjob
Nimbus sail job\tboat\tNimbus
Nimbus sail job\tdone by\tNell Harker
Nimbus sail job\tday\t2024-08-24
Nimbus sail job\tcost\t95
Old Goose\tis a\tboat
Old Goose\towner\tMarek Stolz
Old Goose\tlength\t9.5
Sea Thistle\tis a\tboat
Sea Thistle\towner\tHanne Brook
Sea Thistle\tlength\t7.2
Nimbus\tis a\tboat
Nimbus\towner\tFay Corrigan
Nimbus\tlength\t12.0
Marek Stolz\tis a\tcustomer
Hanne Brook\tis a\tcustomer
Fay Corrigan\tis a\tcustomer
"""


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    path = tmp_path_factory.mktemp("yard") / "yard.tsv"
    path.write_text(YARD, encoding="utf-8")
    return load_kg(path)


def talk(kg: KGStore, said: list[str]) -> list[list[str]]:
    """What is answered to each turn: the labels, or the verdict."""

    async def play() -> list[list[str]]:
        assistant = Assistant({"graph": kg}, FakeListChatModel(responses=[""]), agent=False)
        told: list[list[str]] = []
        for text in said:
            events = [event async for event in assistant.stream("talk", text)]
            answer = next(event for event in events if isinstance(event, Answered))
            told.append([answer.verdict] if answer.verdict else sorted(str(a.label) for a in answer.answers))
        await assistant.close()
        return told

    return asyncio.run(play())


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (["Which boats did Bert Cuddy work on?", "Which of those jobs was the dearest?", "and how much was that?"],
         [["Nimbus", "Old Goose", "Sea Thistle"], ["Goose engine job"], ["340"]]),
        (["Which job was the dearest?", "When was that?", "What about the Nimbus steering one?"],
         [["Goose engine job"], ["2024-06-20"], ["2024-08-27"]]),
        (["Which jobs did Bert Cuddy do?", "just August"],
         [["Goose engine job", "Nimbus steering job", "Thistle prop job"], ["Nimbus steering job"]]),
        (["Which jobs were on Nimbus?", "which of the two came first?"],
         [["Nimbus sail job", "Nimbus steering job"], ["Nimbus sail job"]]),
        (["Which boat is the longest?", "who owns it?", "and the shortest one, which is that?"],
         [["Nimbus"], ["Fay Corrigan"], ["Sea Thistle"]]),
        (["Which boats belong to Fay Corrigan?", "Which jobs were done on that boat?", "and who did them?"],
         [["Nimbus"], ["Nimbus sail job", "Nimbus steering job"], ["Bert Cuddy", "Nell Harker"]]),
        (["Hi, it's Lotte! Who owns Sea Thistle?"], [["Hanne Brook"]]),
        (["Which jobs were on Nimbus?", "who are the owners of those two?"],
         [["Nimbus sail job", "Nimbus steering job"], ["Fay Corrigan"]]),
        (["How many jobs did Bert Cuddy do?", "and which are they?"],
         [["3"], ["Goose engine job", "Nimbus steering job", "Thistle prop job"]]),
        (["Who did the Nimbus sail job?", "When did she start?", "ok and bert"],
         [["Nell Harker"], ["2021-06-14"], ["2011-01-17"]]),
        (["Which jobs did Bert Cuddy do?", "which boats?"],
         [["Goose engine job", "Nimbus steering job", "Thistle prop job"], ["Nimbus", "Old Goose", "Sea Thistle"]]),
        (["Which jobs were on Nimbus?", "total cost"], [["Nimbus sail job", "Nimbus steering job"], ["305"]]),
        (["Who has done the most jobs?", "How many was that?"], [["Bert Cuddy"], ["3"]]),
        (["Hi, Nell here. Which jobs have I done?", "and when did I start?"], [["Nimbus sail job"], ["2021-06-14"]]),
        (["How much was the Goose engine job?", "so that beat the Thistle prop job, right?"], [["340"], ["supported"]]),
    ],
)  # fmt: skip
def test_a_conversation_goes_on(yard: KGStore, said: list[str], wanted: list[list[str]]) -> None:
    assert talk(yard, said) == wanted
