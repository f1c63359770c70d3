"""One of several of one name, called "one": in "the 2023 street party cost more than the 2024 one" that of 2024."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.linking.mentions import NameIndex, folded_words

_ONE = re.compile(r"\b(?:the|that|this)\s+(?P<which>[^\W_]+)(?:['’]s)?\s+one\b(?!\s+(?:of|in|who|that|which)\b)", re.I)


class OneOfSeries:
    """The things of one graph whose names differ in one word."""

    def __init__(self, names: NameIndex) -> None:
        self._names = names

    def by_name(self, text: str) -> str:
        """A sentence with the name of the one that it means, where another of the series is named in full."""
        return _ONE.sub(lambda found: self._name(found, text) or found.group(), text)

    def _name(self, found: re.Match[str], text: str) -> str:
        which = folded_words(found["which"])
        said = {*folded_words(text[: found.start()]), *folded_words(text[found.end() :])}
        if len(which) != 1 or which[0] in said:
            return ""
        names, likely = self._names.names, set[str]()
        for at in self._names.postings.get(which[0], ()):
            name = names[at]
            others = [word for word in name.words if word != which[0]]
            if name.is_value or not others or not said.issuperset(others):
                continue
            if any(self._differs(names[n].words, name.words, said) for n in self._names.postings[others[0]]):
                likely.add(name.text)
        return likely.pop() if len(likely) == 1 else ""

    @staticmethod
    def _differs(one: tuple[str, ...], other: tuple[str, ...], said: set[str]) -> bool:
        """Whether a name that is said differs in one word."""
        return len(one) == len(other) and len(set(one) - set(other)) == 1 and said.issuperset(one)
