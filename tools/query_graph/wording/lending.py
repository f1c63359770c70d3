"""Who has what, where a graph tells of lending: "who's got the drill?" asks who borrowed it and has it still.

Who has a thing is said by no relation of a table of loans, which tells of borrowers and of what is returned, and the
encoder finds "donated by" as near. So it is asked for in these words. Only of graphs in which somebody borrows.
"""

from __future__ import annotations

import re
from functools import cached_property

from triplewise.kg.query.graph import QueryGraph
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import NameIndex, folded_words
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.text.verb_forms import plural

_BORROWS = re.compile(r"(?:borrow(?:er|ed)|(?:on )?loan(?:ed)?|lent|hir(?:er|ed)|rented)(?: by| to)?", re.I)
_SAYS_LOAN = re.compile(r"\b(?:(?:is|has) the \w+er of|(?:has|have|who) (?:[\w'’-]+ ){0,4}borrowed)\b", re.I)
_BACK = re.compile(r"(?:is |was )?(?:returned|brought back|back|handed back)(?: yet)?", re.I)
_IS_OUT = re.compile(r"(?:is |still |currently )*(?:out|on loan|lent|borrowed)(?: on loan| now)?", re.I)
_NOW = r"(?:\s+(?:at the (?:mo|moment|minute)|(?:right )?now|currently|at present|still|these days|out(?: on loan)?))*"
_HAS_NOW = re.compile(
    rf"^(?P<before>\W*(?:(?:and|so|but)\s+)*)who(?:(?:['’]?s|\s+is|\s+has){_NOW}\s+(?:got|having|holding)|\s+(?:still\s+)?has)"
    rf"(?!\s+(?:had|been|the\s+most)\b)\s+(?P<what>(?!most\b|more\b).+?){_NOW}\s*\?*$",
    re.I,
)
_HAD = re.compile(
    r"^(?P<before>\W*(?:(?:and|so|but)\s+)*who(?:\s+else)?)(?:['’]?s|\s+has)?\s+(?:ever\s+)?had\s+(?P<what>.+?)\s*\?*$",
    re.I,
)
_HAS_WHAT = re.compile(
    r"^(?P<before>\W*(?:(?:and|so|but)\s+)*)(?P<asked>what|which\s+(?:\w+\s+)?\w+)(?:['’]s|(?<=what)s|\s+has|\s+does|\s+have)\s+"
    rf"(?P<who>.+?)\s+(?:still\s+|currently\s+)*(?:got|have|having)\b(?:\s+from\s+us)?{_NOW}\s*\?*$",
    re.I,
)
_OUT = re.compile(
    r"\b(?:(?:is|are|['’]s|['’]re)\s+)?(?:still\s+|currently\s+)*(?:(?P<not>not|n['’]t)\s+)?"
    r"(?:still\s+out\b(?:\s+with\s+\w+)?|out\s+on\s+loan|(?:out|lent\s+out)\s+(?:at\s+the\s+(?:mo|moment)|(?:right\s+)?now)"
    r"|not\s+(?:come\s+)?back(?:\s+yet)?|still\s+to\s+come\s+back"
    r"|ha(?:s|ve)(?:\s+not|n['’]?t)\s+(?:been\s+)?(?:(?:come|brought|given|handed)\s+back|returned)(?:\s+yet)?)",
    re.I,
)
_ASKS_WHICH = re.compile(r"\b(?:which|what|how\s+many|list|show|everything|anything)\b", re.I)
""" "Is the tent still out?" asks of one thing, and says so of itself."""
_DENIED = re.compile(r"\bnot\W*$|n['’]t\W*$", re.I)
_EVERYTHING = re.compile(r"^\W*(?:(?:give|show|tell)\s+me|list)?\s*(?:every|any)thing\s+(?:that|which)\b", re.I)
_NEVER_LENT = re.compile(
    r"(?P<have>ha(?:s|ve))\s+never\s+been\s+(?:lent(?:\s+out)?|borrowed|loaned|hired|taken\s+out)\b", re.I
)

_TIMES_LENT = re.compile(
    r"\bhow\s+(?:many\s+times|often)\s+(?:has|have|was|were|did|had)\s+(?P<what>.+?)\s+(?:been\s+|ever\s+)*"
    r"(?:g[ao]ne?\s+out|go\s+out|borrowed|lent(?:\s+out)?|loaned(?:\s+out)?|hired(?:\s+out)?|taken\s+out|out)\b",
    re.I,
)
_HAVE_OUT = re.compile(
    rf"\b(?P<have>have|has)\s+(?:still\s+|currently\s+)*(?:got\s+)?(?:something|anything|things)\s+(?:still\s+)?out(?:\s+on\s+loan)?\b{_NOW}",
    re.I,
)
_BORROWED = re.compile(
    r"\bwhich\s+(?P<kind>\w+)\s+(?:has|have|did)\s+(?P<who>.+?)\s+borrow(?:ed)?\b(?:\s+from\s+us\b)?", re.I
)


class Lending:
    """What a graph tells of lending, and sentences about it in its words."""

    def __init__(self, names: NameIndex) -> None:
        self._names, self._schema = names, names.schema

    @cached_property
    def _borrowed(self) -> str:
        """The relation from what is lent, or from a loan, to who has it; "" where there is none."""
        schema = self._schema
        kinds = (None, "text")
        told = (r for r in schema.relations if _BORROWS.fullmatch(schema.words(r)) and schema.value_kind(r) in kinds)
        return next(told, "")

    @cached_property
    def _returned(self) -> str:
        """The relation that says of a loan whether the thing is back; "" where none does."""
        schema, heads = self._schema, self._schema.heads(self._borrowed)
        told = (r for r in schema.relations if schema.value_kind(r) == "yes-no" and _BACK.fullmatch(schema.words(r)))
        return next((r for r in told if heads & schema.heads(r)), "")

    @cached_property
    def _still_out(self) -> str:
        """How to say of a loan that the thing is not back, in the words of the graph; "" where it does not tell."""
        if self._returned:
            return "not returned"
        if self._itself:
            return f"{self._schema.words(self._borrowed).lower()} somebody"
        schema, heads = self._schema, self._schema.heads(self._borrowed)
        told = [r for r in schema.relations if heads & schema.heads(r)]
        out = (r for r in told if schema.value_kind(r) == "yes-no" and _IS_OUT.fullmatch(schema.words(r)))
        return next((schema.words(r).lower() for r in out), "")

    @cached_property
    def _itself(self) -> frozenset[str]:
        """The things of a kind of which few are lent, and tell themselves to whom; none where rows tell of loans, all
        of which have a borrower."""
        schema, heads = self._schema, self._schema.heads(self._borrowed)
        kinds = {k for node in schema.first(heads)[:1] for k in schema.kinds(node) if k in schema.classes}
        own = frozenset[str]().union(*map(schema.set_of, kinds))
        return own if 2 * len(heads) < len(own) else frozenset()

    @cached_property
    def _lent(self) -> frozenset[str]:
        """What is lent: the other things that the heads of that relation, the loans, have; without such, or where the
        thing itself tells who has it, the heads and what else is of their kind."""
        schema = self._schema
        if self._itself:
            return self._itself
        heads, borrowers = schema.heads(self._borrowed), self._borrowers
        steps = {s for node in schema.first(heads)[:20] for s in schema.steps(node)}
        ends = (schema.follow(heads, s) for s in steps if not s.inverse and not schema.value_kind(s.relation))
        return frozenset[str]().union(*ends) - borrowers or heads

    @cached_property
    def _borrowers(self) -> frozenset[str]:
        return self._schema.follow(self._schema.heads(self._borrowed), Step(self._borrowed))

    def in_its_words(self, text: str) -> str:
        """A question in the words of loans; as it is where the graph tells of none, or it asks for something else."""
        if not self._borrowed:
            return text
        out = self._still_out
        noun = self._schema.words(self._borrowed)
        who = f"is the {noun} of" if noun.endswith("er") else "has borrowed"
        if (found := _HAD.match(text)) and self._says(found["what"], self._lent):
            return f"{found['before']} {who} {found['what']}?"
        out_now = self._schema.heads(self._borrowed) if self._itself else self._lent
        if (found := _HAS_NOW.match(text)) and self._says(found["what"], out_now):
            return f"{found['before']}who {who} {found['what']}{f' that is {out}' if out and not self._itself else ''}?"
        found = _HAS_WHAT.match(text)
        if found and self._calls_lent(found["asked"]) and self._says(found["who"], self._borrowers):
            asked = f"{found['before']}{found['asked']} has {found['who']} borrowed"
            return f"{asked}{' and not returned' if self._returned else f' that are {out}' if out else ''}?"
        if (found := _NEVER_LENT.search(text)) and (loan := self._loan()):
            return f"{text[: found.start()]}{found['have']} no {loan}{text[found.end() :]}"
        if (found := _TIMES_LENT.search(text)) and (loan := self._loan()) and self._says(found["what"], self._lent):
            return f"{text[: found.start()]}how many {plural(loan)} of {found['what']} are there{text[found.end() :]}"
        if (found := _BORROWED.search(text)) and found["kind"].lower() in ("things", "stuff", self._thing()):
            return f"{text[: found.start()]}what has {found['who']} borrowed{text[found.end() :]}"
        if found := _HAVE_OUT.search(text):
            said = f"{found['have']} borrowed {self._thing()}{f' that are {out}' if out else ''}"
            return f"{text[: found.start()]}{said}{text[found.end() :]}"
        found = _OUT.search(text) if out and _ASKS_WHICH.search(text) else None
        if found and not (found["not"] or _DENIED.search(text[: found.start()])):
            said = f"{text[: found.start()].rstrip()} are {out}{text[found.end() :]}"
            return _EVERYTHING.sub(f"Which {self._thing()}", said, count=1)
        return text

    def of_loans(self, text: str, drafts: list[Draft]) -> list[Draft]:
        """The drafts that hold who borrowed, where a question was put in these words: what Tom gave is not what he has;
        all where it was not, or none does."""
        if not (self._borrowed and _SAYS_LOAN.search(text)):
            return drafts
        rows = [[t for _, r, t in d.rows if r == self._borrowed] for d in drafts]
        told = [any(isinstance(t, str) or t == 0 for t in tails) for tails in rows]  # a name, or who is asked for
        return [d for d, holds in zip(drafts, told, strict=True) if holds] or drafts

    def leaves_out(self, text: str, query: QueryGraph) -> bool:
        """Whether a claim says that something is out, and its reading not that it, or a loan of it, is not back."""
        if not (self._borrowed and self._returned and _OUT.search(text)) or query.denied:
            return False
        tails = (p.tail for p in query.patterns if p.relation == self._returned and isinstance(p.tail, str))
        return not any(parse_value(self._schema.label(tail)).key == parse_value("no").key for tail in tails)

    def _calls_lent(self, asked: str) -> bool:
        """Whether "what", or "which" and a noun, asks for what is lent: nobody has borrowed "which mentor"."""
        noun = asked.lower().split()[-1]
        return noun in ("what", "things", "stuff", "ones", self._thing(), self._kind(self._lent))

    def _says(self, text: str, nodes: frozenset[str]) -> bool:
        """Whether a text names one of some things."""
        return any(link.node in nodes and max(link.score, link.weight / 4) >= 0.5 for link in self._names.link(text))

    def _loan(self) -> str:
        """What a loan is called; "" where there are none but what is lent."""
        heads = self._schema.heads(self._borrowed)
        return "" if heads == self._lent else self._kind(heads)

    def _thing(self) -> str:
        """What the things are called that are lent."""
        return plural(self._kind(self._lent) or "thing")

    def _kind(self, nodes: frozenset[str]) -> str:
        kinds = (k for node in self._schema.first(nodes)[:1] for k in self._schema.kinds(node))
        label = next((self._schema.label(k) for k in kinds if k in self._schema.classes), "")
        return " ".join(folded_words(label))
