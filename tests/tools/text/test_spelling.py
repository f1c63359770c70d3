"""Misspelt names are put right, and words that only look so are left alone."""

from __future__ import annotations

import pytest

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.spelling.names import Spelling

TRIPLES = [
    ("Toaster", "brought by", "Ann Meyer"), ("Kettle", "brought by", "Ann Meyer"), ("Sewing machine", "age", '"30"'),
    ("Refrigerator", "age", '"9"'), ("Rooter", "age", '"2"'), ("Carton", "age", '"1"'), ("Barton", "age", '"3"'),
    ("Meyer", "age", '"40"'), ("Toaster", "cleaned by", "Kettle"), ("Toaster", "owned by", "Priya Nair"), ("Kettle", "owned by", "Orla Pryce"),
    ("Teapot", "age", '"1"'), ("Hayride", "age", '"2"'),
]  # fmt: skip
SPELLING = Spelling(KnownWords(NameIndex(SchemaView(NetworkxStore(TRIPLES)))), {"kettles", "rooster"})


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("who brought the toster?", "who brought the toaster?"),
        ("the ketlte and the toastr", "the kettle and the toaster"),  # letters that changed places
        ("how old is the refridgerater", "how old is the refrigerator"),
        ("how old is meier", "how old is meyer"),
        ("who havnt got a kettle", "who haven't got a kettle"),
        ("the kettles weve got and ive used", "the kettles we've got and i've used"),
        ("who is'nt here, who dont stay and who cant", "who isn't here, who don't stay and who can't"),
        ("who havn't, wasnt or didnt", "who haven't, wasn't or didn't"),
        ("wich kettel is oldist", "which kettle is oldest"),
        ("Wich of teh toasters were mended befor?", "Which of the toasters were mended before?"),
        ("how meny peeple clened it", "how many people cleaned it"),
        ("who proccessed the lesons", "who processed the lessons"),
        ("how old is the sewng machine", "how old is the sewing machine"),
        ("what does pryia own", "what does priya own"),
        ("Were did the kettle go, and who els has it?", "Where did the kettle go, and who else has it?"),
        ("the old weelchair", "the old wheelchair"),
        ("wats the cheepest servise", "what's the cheapest service"),
        ("who has tide tables, and which tea pot?", "who has tide tables, and which teapot?"),
        ("which hay-rides were there", "which hayrides were there"),
    ],
)
def test_a_misspelt_word_is_put_right(said: str, meant: str) -> None:
    assert SPELLING.corrected(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "who brought the toaster and the toasters",
        "who went and hasn't cleaned, or doesn’t want the tent",
        "who toasted it",  # another form of the word
        "the rooster and the kettles",  # words of the language
        "how old is Meier",  # somebody else
        "how old is darton",  # as near to two names
        "the adverts of the organiser, whose favourite harbours were analysed",  # British
        "the wifi, an app and its admin",  # newer than the dictionary
        "marys toaster and the mens kettle",  # no apostrophe
        "Wisch and the o'lery, an x-rayed wich-hunt, at meny@wich.org or wich.org",  # names and parts
        "the brtn",  # too short for one that is not usual
        "the ketl",
        "what does pryse own",  # no first name
    ],
)
def test_what_is_no_misspelt_name_stays(said: str) -> None:
    assert SPELLING.corrected(said) == said
