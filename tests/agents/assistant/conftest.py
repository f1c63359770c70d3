"""Three small graphs that conversations are about."""

from __future__ import annotations

import pytest
from small_graphs import TEAM

from triplewise.kg import KGStore, load_kg
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

FARM = """\
Duke (bull)\trdf:type\tbull
Duke (bull)\tskos:altLabel\tDuke
Duke (bull)\tborn\t2019-03-02
Duke (bull)\tlooked after by\tPetra Vond
Duke (horse)\trdf:type\thorse
Duke (horse)\tskos:altLabel\tDuke
Duke (horse)\tborn\t2004-05-17
Duke (horse)\tlooked after by\tJory Pask
Bramble\trdf:type\tcow
Bramble\tborn\t2017-01-09
Bramble\tlooked after by\tPetra Vond
Petra Vond\trdf:type\tperson
Petra Vond\tlives in\tMill Cottage
Jory Pask\trdf:type\tperson
Jory Pask\tlives in\tMill Cottage
wheat\trdf:type\tcrop
wheat\tprice\t212
wheat\tsold to\tZawn Mills
oats\trdf:type\tcrop
oats\tprice\t228
oats\tsold to\tZawn Mills
"""


@pytest.fixture(scope="module")
def kg(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    path = tmp_path_factory.mktemp("farm") / "farm.tsv"
    path.write_text(FARM, encoding="utf-8")
    return load_kg(path)


@pytest.fixture(scope="module")
def names(kg: KGStore) -> NameIndex:
    return NameIndex(SchemaView(kg))


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    path = tmp_path_factory.mktemp("team") / "team.csv"
    path.write_text(TEAM, encoding="utf-8")
    return load_kg(path)


CLUB = """\
Ann Holt\trdf:type\tdiver
Ann Holt\tborn in\t1990
Ben Roe\trdf:type\tdiver
Ben Roe\tborn in\t1985
Open Water 1\trdf:type\tcourse
Open Water 1\ttaken by\tAnn Holt
Open Water 1\tfee\t400
Open Water 2\trdf:type\tcourse
Open Water 2\ttaken by\tAnn Holt
Open Water 2\tfee\t420
"""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    """Persons, and courses that are none."""
    path = tmp_path_factory.mktemp("club") / "club.tsv"
    path.write_text(CLUB, encoding="utf-8")
    return load_kg(path)
