"""A question in the words of the graph that it is asked of: by all that reword one, in their order."""

from __future__ import annotations

from dataclasses import dataclass

from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.wording.all_of_few import AllOfFew
from triplewise.tools.query_graph.wording.free_of_charge import FreeOfCharge
from triplewise.tools.query_graph.wording.lending import Lending
from triplewise.tools.query_graph.wording.nobody import Nobody
from triplewise.tools.query_graph.wording.nouns_of_names import NounsOfNames
from triplewise.tools.query_graph.wording.occupation import Occupation
from triplewise.tools.query_graph.wording.one_of_series import OneOfSeries
from triplewise.tools.query_graph.wording.other_words import OtherWords
from triplewise.tools.query_graph.wording.players import Players
from triplewise.tools.query_graph.wording.stock import Stock
from triplewise.tools.query_graph.wording.unsettled.still_open import StillOpen
from triplewise.tools.text.persons import Persons


@dataclass(frozen=True, slots=True)
class Worded:
    """A question as it is read. ``called_so``: the things among which its answers are, where it asked for these by a
    noun of their names; ``of_loans``: whether it was put in the words of loans."""

    text: str
    called_so: frozenset[str] = frozenset()
    of_loans: bool = False


class Wording:
    """Puts questions in the words of one graph."""

    def __init__(self, words: KnownWords, persons: Persons) -> None:
        schema = words.names.schema
        self.nouns, self.nobody = NounsOfNames(words), Nobody(schema, persons)
        self.stock, self.lending, self.few = Stock(schema), Lending(words.names), AllOfFew(schema)
        self.free, self.other = FreeOfCharge(schema), OtherWords(words)
        self.occupation, self.players = Occupation(words.names), Players(words)
        self.series, self.open = OneOfSeries(words.names), StillOpen(words)

    def sentence(self, text: str) -> str:
        """A question or a claim with the words that the graph has for what it says."""
        return self.series.by_name(self.players.in_words_of_relation(self.other.in_its_words(text)))

    def question(self, text: str) -> Worded:
        """A question in these words; as it is where they have none for it."""
        text, called_so = self.nouns.in_words_of_class(self.open.in_words_of_relation(text))
        text = self.nobody.in_words_of_class(self.few.in_names(self.occupation.in_words_of_relation(text)))
        text = self.free.in_words_of_relation(self.stock.in_words_of_relation(text))
        in_loans = self.lending.in_its_words(text)
        return Worded(in_loans, called_so, in_loans != text)
