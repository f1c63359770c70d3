"""Whole conversations over small graphs of one's own, by the ranker that ships: the turns that people begin with."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_graphs import TEAM, tables_in

from triplewise.agents.assistant.intents.claims_said import claim_of
from triplewise.agents.assistant.intents.intent import by_rules
from triplewise.agents.assistant.memory import Memory, Remembered, remember
from triplewise.backends.fake import ScriptedChatModel
from triplewise.graphs.assistant_methods import QUERY_GRAPH, answer_said, answer_turn, interpreter_of
from triplewise.kg import load_kg

GARDEN = """Plot 1,type,plot
Plot 1,area,40
Plot 1,rented by,Rosa Klein
Plot 1,grows,tomato
Plot 1,grows,kale
Plot 2,type,plot
Plot 2,area,55
Plot 2,rented by,Theo Marsh
Plot 2,grows,leek
Plot 3,type,plot
Plot 3,area,32
Plot 3,rented by,Ida Lund
Plot 3,grows,tomato
Rosa Klein,type,gardener
Rosa Klein,member since,2012-03-01
Theo Marsh,type,gardener
Theo Marsh,member since,2019-05-20
Theo Marsh,mentor,Rosa Klein
Ida Lund,type,gardener
Ida Lund,member since,2021-04-11
Ida Lund,mentor,Rosa Klein
"""
BANDS = """band	plays_on	starts_at	festival_day	musicGenre	lead_singer	formedIn	comes_from	bookingFee
Velvet Moles	Main Stage	21:30	Friday	indie rock	Cora Whelan	2006	Dublin	18000
The Tin Kettles	Meadow Stage	18:00	Friday	folk	Bram de Wit	2012	Ghent	4500
Night Ferry	Main Stage	22:00	Saturday	electronic		2015	Hamburg	22000
Owl Parade	Barn	16:00	Saturday	folk	Signe Dahl	2018	Aarhus	2500
Rust & Honey	Meadow Stage	20:00	Saturday	blues	Marcus Bell	1998	Leeds	9000
Glass Antlers	Barn	19:00	Friday	indie rock	Cora Whelan	2020	Dublin	3000
"""
AGENCY = {
    "staff": """name,role,reports_to,start_date,part_time
Marta Lind,owner,,2014-03-01,no
Tom Averill,lead developer,Marta Lind,2016-09-12,no
Priya Nair,designer,Marta Lind,2019-01-14,no
Jess Okafor,designer,Priya Nair,2022-02-07,yes
""",
    "clients": """client,contact_person,town,client_since
Bramble Bakery,Sue Hartley,Ludlow,2017
Castle Dental,Amir Shah,Ludlow,2019
Wye Cycles,Ines Moreau,Hereford,2020
""",
    "websites": """website,client,maintained_by
bramble.example,Bramble Bakery,Jess Okafor
castle.example,Castle Dental,Tom Averill
""",
    "invoices": """invoice,website,issued,paid
INV-101,bramble.example,2024-06-08,yes
INV-102,bramble.example,2024-06-20,yes
INV-103,castle.example,2024-07-02,no
""",
}
WORKSHOP = {
    "mechanics": """mechanic,role,has_key,started
Aino Salo,owner,yes,2012-04-02
Bo Lind,apprentice,no,2023-09-01
Cara Webb,mechanic,yes,2016-02-15
Dev Rao,mechanic,no,2019-06-10
""",
    "bikes": """bike,owner,colour,year
Green Tandem,Ida Holm,green,2014
Silver Folder,Max Orr,silver,2019
Black Racer,Nell Pike,black,2021
""",
    "repairs": """repair,bike,mechanic,problem,due,bill,paid
R1,Green Tandem,Dev Rao,worn chain,2025-03-03,48.00,yes
R2,Silver Folder,Dev Rao,flat tyre,2025-03-05,18.00,no
R3,Black Racer,Cara Webb,bent wheel,2025-03-20,95.00,no
R4,Green Tandem,Cara Webb,loose bell,2025-03-12,,no
""",
}
TALKS = {
    "workshop": (
        ("who's got a key to this place?", "Aino Salo, Cara Webb"),
        ("and who hasn't?", "Bo Lind, Dev Rao"),
        ("which of those two started first?", "Dev Rao"),
        ("what bikes has he worked on?", "Green Tandem, Silver Folder"),
        ("which repairs aren't paid?", "R2, R3, R4"),
        ("how many's that then?", "3"),
        ("and which one is due first?", "R2"),
        ("No, sorry, I meant the one due last.", "R3"),
        ("So that was the most expensive repair, yeah?", "supported"),
        ("who is the last one that started?", "Bo Lind"),
    ),
    "agency": (
        ("I'm trying to find the invoices that were issued in June 2024, dear.", "INV-101, INV-102"),
        ("both paid?", "supported"),
        ("which clients are based in Ludlow?", "Bramble Bakery, Castle Dental"),
        ("and who are our contacts there?", "Amir Shah, Sue Hartley"),
        ("which website does Bramble Bakery have?", "bramble.example"),
        ("is Tom the one who maintains that site as well?", "refuted"),
        ("ah ok, so who does?", "Jess Okafor"),
        ("when did she start?", "2022-02-07"),
        ("omg so before priya?", "refuted"),
        ("jess is full time", "refuted"),
    ),
    "team.csv": (
        ("where does Mia live?", "Berlin"),
        ("and Tom?", "Berlin"),
        ("who else lives there?", "Mia Kern"),
        ("what is the capital of France?", ""),
        ("who is in Hamburg?", "Jonas Beck"),
        ("how many people are in Checkout?", "3"),
        ("who are they?", "Ana Ruiz, Lea Brandt, Tom Weber"),
        ("which of them started first?", "Lea Brandt"),
        ("who started last?", "Jonas Beck"),
        ("is he a designer?", "refuted"),
        ("what about Ana?", "supported"),
    ),
    "garden.csv": (
        ("who rents plot 2?", "Theo Marsh"),
        ("since when is he a member?", "2019-05-20"),
        ("who is his mentor?", "Rosa Klein"),
        ("who else does she mentor?", "Ida Lund"),
        ("which plot is the biggest?", "Plot 2"),
        ("what grows on plot 3", "tomato"),
        ("and plot 1?", "kale, tomato"),
        ("who joined last?", "Ida Lund"),
        ("how many gardeners are there?", "3"),
    ),
    "bands.tsv": (
        ("which bands play folk?", "Owl Parade, The Tin Kettles"),
        ("what about blues?", "Rust & Honey"),
        ("which bands are from dublin?", "Glass Antlers, Velvet Moles"),
        ("and leeds?", "Rust & Honey"),
        ("which bands cost less than 5000?", "Glass Antlers, Owl Parade, The Tin Kettles"),
        ("and more than 10000?", "Night Ferry, Velvet Moles"),
        ("which bands play folk?", "Owl Parade, The Tin Kettles"),
        ("which bands formed before 2010?", "Rust & Honey, Velvet Moles"),
        ("and after 2015?", "Glass Antlers, Owl Parade"),
        (
            "which bands are there?",
            "Glass Antlers, Night Ferry, Owl Parade, Rust & Honey, The Tin Kettles, Velvet Moles",
        ),
        ("is night ferry a band?", "supported"),
        ("what's the average fee?", "5750"),
    ),
}


@pytest.mark.parametrize("name", list(TALKS))
async def test_a_conversation_over_a_graph_of_ones_own(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if folder := {"agency": AGENCY, "workshop": WORKSHOP}.get(name):
        kg = tables_in(path, folder)
    else:
        path.write_text({"team.csv": TEAM, "garden.csv": GARDEN, "bands.tsv": BANDS}[name], encoding="utf-8")
        kg = load_kg(path)
    turns, told = list[Remembered](), list[tuple[str, str]]()
    for text, _ in TALKS[name]:
        named = len(interpreter_of(kg).follow_ups.own_links(text))
        task = "verify" if by_rules(text, named=named, after_answer=bool(turns)) == "verify" else "ask"
        asked = claim_of(text) if task == "verify" else text
        done = await answer_turn(kg, ScriptedChatModel(), QUERY_GRAPH, asked, task, Memory(kg, turns))
        turns.append(remember(kg, text, done.result, done.task))
        told.append((text, done.result.verdict or ", ".join(sorted(a.label for a in done.result.answers))))
    assert told == list(TALKS[name])


async def test_who_asks_whether_there_is_something_is_told_what(tmp_path: Path) -> None:
    path = tmp_path / "garden.csv"
    path.write_text(GARDEN, encoding="utf-8")
    kg, memory = load_kg(path), Memory(load_kg(path))
    model = ScriptedChatModel()
    for text, answers in (
        ("Does Theo Marsh rent any plot?", {"Plot 2"}),
        ("Does anything grow on plot 2?", {"leek"}),
        ("Does Theo Marsh have a mentor?", {"Rosa Klein"}),
    ):
        done = await answer_said(kg, model, QUERY_GRAPH, text, "ask", memory)
        assert {a.label for a in done.result.answers} == answers and done.result.verdict is None
    named = await answer_said(kg, model, QUERY_GRAPH, "Does Rosa Klein rent plot 1?", "verify", memory)
    assert named.result.verdict == "supported"


@pytest.mark.parametrize(("plant", "verdict"), [("leek", "supported"), ("kale", "refuted")])
async def test_whether_it_has_a_value_is_yes_or_no(tmp_path: Path, plant: str, verdict: str) -> None:
    """No thing is a leek, so that "which leek" is not asked."""
    path = tmp_path / "garden.csv"
    path.write_text(GARDEN, encoding="utf-8")
    text = f"Does plot 2 grow any {plant}?"
    done = await answer_said(load_kg(path), ScriptedChatModel(), QUERY_GRAPH, text, "ask", Memory(load_kg(path)))
    assert done.task == "verify" and done.result.verdict == verdict and not done.result.answers
