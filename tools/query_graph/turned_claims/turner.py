"""Claims that are read by a question or by a plainer claim, and what is made of its readings.

"All boats are insured" is read as "which boats are insured?" and says that no boat is otherwise; "only Ann sings" is
read as "Ann sings" and says that nobody else does. Readings that are hardly meant are not turned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from triplewise.kg.query import execute
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.joined.values import may_join
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import Link
from triplewise.tools.query_graph.ranking import Ranked, Ranking
from triplewise.tools.query_graph.turned_claims.all_claims import all_claim, is_of_owner, may_be_of_all, no_exception
from triplewise.tools.query_graph.turned_claims.contrasts import contrast, not_the_other
from triplewise.tools.query_graph.turned_claims.either_values import either_value, with_any_value
from triplewise.tools.query_graph.turned_claims.extremes import (
    TurnedClaim,
    beyond_all,
    extreme_claim,
    extreme_subject,
    has_idle_row,
    last_claim,
    longest_claim,
    none_beyond,
)
from triplewise.tools.query_graph.turned_claims.more_claims import (
    as_many_as_other,
    count_claim,
    has_more,
    more_claim,
    with_full_names,
)
from triplewise.tools.query_graph.turned_claims.neither_claims import (
    as_neither_nor,
    is_of_neither,
    neither,
    neither_claim,
    not_either_as_neither,
)
from triplewise.tools.query_graph.turned_claims.only_claims import no_other, only_claim

_MOST_OF_NAME = 0.6
"""The score of a link from which on most of a name is said; less may be said of the only one that it is a name of."""
_LIKELY = 0.1
"""The probability from which on a reading may be turned into a claim, of all or of which has more."""


class ClaimTurner:
    """Reads the claims of one graph that are no plain claims."""

    def __init__(self, generator: Generator, words: KnownWords, rank: Callable[..., Ranking]) -> None:
        """``rank``: as ``Reader.rank``."""
        self.generator, self.schema, self.store = generator, generator.schema, generator.store
        self.words, self._rank = words, rank

    def ranking(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim of neither of two, of one thing and not another, of an extreme, of all of a kind, of
        more than another, of one thing only, or of one of some values; None for any other claim."""
        plain = (self._of_neither, self._of_contrast, self._of_extreme, self._of_all, self._of_more, self._of_counts)
        kinds = (*plain, self._of_one_only, self._of_either_value)
        return next((found for of in kinds if (found := of(text, given, shortlist))), None)

    def _of_neither(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim of neither of two, by the claim of the first; none where the graph does not know the
        second one, and None for any other claim."""
        sentence = self.generator.read(as_neither_nor(text), given)
        if (text := not_either_as_neither(sentence)) != sentence.text:
            sentence = self.generator.read(text, given)
        claim = neither_claim(text, sentence.links)
        if not claim:
            return Ranking(sentence, (), 1.0, 0) if is_of_neither(text) else None
        other = self.generator.read(claim.other, given)
        asked = self._rank(claim.bare, "verify", given, shortlist=shortlist)
        turned = [neither(self.schema, r.draft, asked.sentence, claim, other) for r in asked.readings]
        found = tuple(replace(r, draft=draft) for r, draft in zip(asked.readings, turned, strict=True) if draft)
        likely = bool(found) and found[0].probability >= _LIKELY
        return replace(asked, readings=found) if likely else Ranking(sentence, (), 1.0, 0)

    def _of_either_value(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim of one of some values, by the claim of the first; None for any other claim."""
        claim = either_value(self.generator.read(text, given)) if may_join(text) else None
        if not claim:
            return None
        bare, values = claim
        asked = self._rank(bare, "verify", given, shortlist=shortlist)
        turned = [with_any_value(self.schema, r.draft, values) for r in asked.readings]
        found = tuple(replace(r, draft=draft) for r, draft in zip(asked.readings, turned, strict=True) if draft)
        if not found or found[0].text != asked.readings[0].text:
            return None  # what is less likely meant is not said instead
        return replace(asked, readings=found)

    def _of_contrast(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim of one thing and not another, by the claim of the one; None for any other claim.

        Where the graph knows no such other thing, only that the one is not so can be told."""
        claim = contrast(text)
        if not claim or extreme_claim(text):
            return None
        other = self.generator.read(claim.other, given)
        asked = self._rank(claim.bare, "verify", given, shortlist=shortlist)
        turned = [not_the_other(self.schema, r.draft, asked.sentence, claim, other) for r in asked.readings]
        pairs = zip(asked.readings, turned, strict=True)
        found = tuple(replace(ranked, draft=draft) for ranked, draft in pairs if draft)
        if found and found[0].probability >= _LIKELY:
            return replace(asked, readings=found)
        known = asked.readings and not execute(self.store, asked.readings[0].draft.query()).holds
        return asked if known else replace(asked, none=1.0)

    def _of_extreme(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim that a thing is an extreme, by the question for it; None for any other claim."""
        last = last_claim(text) if self.generator.numbers.ranks else None
        beyond = beyond_all(text)
        claim = last or beyond or extreme_claim(text) or longest_claim(text)
        links = self._named(claim.who, given) if claim else []
        if not claim or not links:
            return None
        node = max(links, key=lambda x: x.score).node
        kind = next((c for c in self.schema.kinds(node) if c in self.schema.classes), "")
        asked = self._rank(claim.question(self.schema.label(kind) if kind else ""), shortlist=shortlist)
        found = tuple(
            replace(ranked, draft=none_beyond(ranked.draft, node, denied=claim.denied))
            for ranked in asked.readings
            if ranked.draft.form == "select" and not ranked.draft.minus and self._is_in_order(ranked.draft, node)
            if not (beyond and has_idle_row(ranked.draft))
        )
        if not found or (beyond and found[0].probability < _LIKELY):
            return None
        return replace(asked, readings=found)

    def _named(self, who: str, given: Sequence[str] = ()) -> list[Link]:
        """The things whose name is said, mostly, or in a part that nothing else is called by."""
        links = [x for x in self.generator.read(who, given).links if not x.is_value]
        return [x for x in links if x.score > _MOST_OF_NAME or len({y.node for y in links}) == 1]

    def with_extreme(self, text: str) -> tuple[str, str]:
        """A claim about an extreme with the name of what it is, and what the claim calls it: ("Gray Lady belongs to
        Ann", "the oldest boat"); the claim and "" where the graph does not surely tell which one that is."""
        turned = extreme_claim(text)
        if turned and isinstance(turned, TurnedClaim) and self._named(turned.who):  # "the oldest boat is the Heron"
            return text, ""
        claim = extreme_subject(text)
        asked = self._rank(f"Which is {claim.what}?").readings if claim else ()
        first = asked[0].draft if asked and asked[0].probability >= _LIKELY else None
        if not claim or not first or not first.order or first.form != "select" or len(first.answers) != 1:
            return text, ""
        return f"{self.schema.label(*first.answers)} {claim.told}", claim.what

    def _of_all(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim of all of a kind, by the question which of them are so; None for any other claim."""
        claim = all_claim(text)
        if not claim or self.words.unknown_name(text):
            return None
        asked = self._rank(claim.question, given=given, shortlist=shortlist, of_all=True)
        possible = [
            r
            for r in asked.readings
            if may_be_of_all(self.schema, r.draft, asked.sentence) and is_of_owner(claim, r.draft, asked.sentence)
        ]
        turned = [no_exception(self.schema, r.draft, asked.sentence, claim.border) for r in possible]
        found = tuple(
            replace(ranked, draft=draft.but(denied=not claim.denied))
            for ranked, draft in zip(possible, turned, strict=True)
            if draft and (ranked.draft.answers or execute(self.store, draft.but(denied=False).query()).holds)
        )
        if (
            found
            and claim.both
            and not self._may_be_both(next(r for r in possible if r.text == found[0].text), found[0])
        ):
            return replace(asked, none=1.0)
        if not found or found[0].text != possible[0].text or found[0].probability < _LIKELY:
            return None  # what is meant cannot be said of all, and what is less likely meant is not said instead
        return replace(asked, readings=found)

    def _may_be_both(self, asked: Ranked, turned: Ranked) -> bool:
        """Whether a claim of both may be said of what was found: there is an exception, or there are two."""
        exceptions = execute(self.store, turned.draft.but(denied=False).query()).holds
        return exceptions or len(asked.draft.answers) == 2

    def _of_more(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim that one thing has more than another, by the question which of them has; None for any
        other claim, and where that question is hardly meant so."""
        if not more_claim(text) or self.words.unknown_name(text):
            return None
        claim = more_claim(with_full_names(text, self.generator.names.link(text)))
        if not claim:
            return None
        asked = self._rank(claim.question, given=given, shortlist=shortlist)
        turned = [has_more(ranked.draft, asked.sentence, claim, self._number) for ranked in asked.readings]
        pairs = zip(asked.readings, turned, strict=True)
        found = tuple(replace(ranked, draft=draft) for ranked, draft in pairs if draft)
        return replace(asked, readings=found) if found and found[0].probability >= _LIKELY else None

    def _of_counts(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim that one thing has more of a kind than another, or as many, by the claim of a number
        of the one; None for any other claim, and where a number that the graph tells is rather meant."""
        claim = count_claim(with_full_names(text, self.generator.names.link(text)))
        if not claim or self.words.unknown_name(text):
            return None
        other = next((x.node for x in self.generator.names.link(claim.other) if not x.is_value), "")
        asked = self._rank(claim.counted, "verify", given, shortlist=shortlist)
        found: list[Ranked] = []
        for ranked in asked.readings:
            draft = ranked.draft
            if any(isinstance(right, str) and op != "not in" for _, op, right in draft.filters):
                break  # "had two guests" is the number of its guests
            named = {asked.sentence.links[i].node for i in draft.links}
            if draft.form != "count" or len(named) != 1 or named == {other} or ranked.probability < _LIKELY:
                continue
            (one,) = named
            if set(self.schema.kinds(one)).intersection(self.schema.kinds(other)) and not self._counts_values(draft):
                turned = as_many_as_other(draft, one, other, claim.op, self._number)
                found += [replace(ranked, draft=turned)] if turned else []
        return replace(asked, readings=tuple(found)) if found else None

    def _number(self, draft: Draft) -> int:
        return execute(self.store, draft.query()).number or 0

    def _counts_values(self, draft: Draft) -> bool:
        return any(t == 0 and self.schema.value_kind(r) for _, r, t in draft.rows)

    def _of_one_only(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim of one thing only, by the claim without "only": where that does not hold, it is what
        is wrong; None for any other claim."""
        claim = only_claim(text)
        if not claim or self.words.unknown_name(text):
            return None
        asked = self._rank(claim.bare, "verify", given, shortlist=shortlist)
        if claim.leading and cues.DENIED.search(claim.bare):
            return replace(asked, none=1.0)  # "only Ann does not sing" says of the others that they do
        others = [no_other(ranked.draft, asked.sentence, claim) for ranked in asked.readings]
        found = tuple(
            replace(ranked, draft=other) if other and execute(self.store, ranked.draft.query()).holds else ranked
            for ranked, other in zip(asked.readings, others, strict=True)
        )
        return replace(asked, readings=found)

    def _is_in_order(self, draft: Draft, node: str) -> bool:
        """Whether a node is among those that a draft orders by their values."""
        if draft.order is None or draft.order[2]:
            return False
        return node in execute(self.store, replace(draft.query(), order=None)).ids
