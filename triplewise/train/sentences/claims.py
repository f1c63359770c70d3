"""Claims of the five kinds of reasoning: one hop, existence, negation, conjunction, several hops (FactKG's kinds).

A claim is true, or made false by another end of the same relation that the graph does not link; what it holds
is decided by executing its parts.
"""

from __future__ import annotations

import re
from dataclasses import replace

from triplewise.tools.retrieval.pattern_join import connected_components
from triplewise.train.sentences.compose import Composed, Composer, Hop, Part
from triplewise.train.sentences.grammar import article, classes, predicate
from triplewise.types import Triple

_LEADS = (
    "Yes, ", "Well, ", "I heard that ", "I think ", "Actually, ", "As far as I know, ", "I am sure that ", "You know, ",
    "I read that ", "It is true that ", "Believe me, ", "No doubt, ", "They say ", "I believe that ", "Right, ", "So ",
)  # fmt: skip


class ClaimComposer(Composer):
    """Draws claims."""

    def claim(self) -> Composed:
        """A claim of any kind."""
        kinds = [self._one_hop, self._existence, self._conjunction, self._chain, self._both_ends]
        while True:
            if found := self.rng.choices(kinds, [30, 10, 25, 25, 10])[0]():
                return found

    # the kinds ----------------------------------------------------------------------------------------------

    def _one_hop(self) -> Composed | None:
        (hop,), nodes = self.path(1)
        nodes = self._maybe_false(hop, nodes)
        denied = self.rng.random() < 0.25
        said = self._said(hop, nodes, denied)
        if said is None:
            return None
        text, order = said
        part = self.part(hop, *(self.name(n) for n in nodes))
        return self._made(text, order, [replace(part, denied=denied)], nodes)

    def _said(self, hop: Hop, nodes: list[str], denied: bool) -> tuple[str, list[str]] | None:
        """A sentence from either end of a step, and its entities in order of mention."""
        options = []
        for side, node, other in ((hop.known, nodes[0], nodes[1]), (hop.asked, nodes[1], nodes[0])):
            if does := predicate(hop.entry, hop.verbalisation, side, self.name(other), no=denied):
                options.append((f"{self.name(node)} {does}", [node, other]))
        if hop.verbalisation.kind in ("noun", "attr"):
            owner, noun = (nodes[0], nodes[1]) if hop.verbalisation.side == hop.asked else (nodes[1], nodes[0])
            is_ = "is not" if denied else "is"
            options.append(
                (f"the {hop.verbalisation.word} of {self.name(owner)} {is_} {self.name(noun)}", [owner, noun])
            )
            options.append((f"{self.name(owner)}'s {hop.verbalisation.word} {is_} {self.name(noun)}", [owner, noun]))
        if not options:
            return None
        text, order = self.rng.choice(options)
        if denied and self.rng.random() < 0.1:
            text = f"it is not true that {self._said(hop, nodes, False)[0]}"  # pyright: ignore[reportOptionalSubscript]
        return text, order

    def _existence(self) -> Composed | None:
        """ "X had a spouse", "X was directed by someone"; false where the graph knows no such thing."""
        (hop,), nodes = self.path(1)
        node, name = nodes[0], self.name(nodes[0])
        if self.rng.random() < 0.35 and (other := self._without(hop)):
            node, name = other, self.name(other)
        denied = self.rng.random() < 0.4
        class_, form = classes()[hop.entry.end(hop.asked)], hop.verbalisation
        if class_["wh"] == "when" or class_["words"][0] == "number":
            return None
        some = ("any" if denied else "some") + ("one" if class_["wh"] == "who" else "thing")
        if form.kind in ("noun", "attr"):
            if form.side != hop.asked:
                return None
            has = self.rng.choice(["did not have", "does not have"] if denied else ["had", "has"])
            text = f"{name} {has} {article(form.word)}"
        elif does := predicate(hop.entry, form, hop.known, "\0", no=denied):
            noun = f"any {class_['words'][0]}" if denied else article(class_["words"][0])
            text = f"{name} {does.replace(chr(0), self.rng.choice([some, noun]))}"
            if re.search(r" by \w+$", text) and self.rng.random() < 0.3:
                text = re.sub(r" by \w+$", "", text)
        else:
            return None
        part = self.part(hop, name, self._variable(self._class(hop, nodes[1]), set()))
        return self._made(text, [node], [replace(part, denied=denied)], [node, nodes[1]])

    def _conjunction(self) -> Composed | None:
        """Two facts about one entity: "X was born in Y and played for Z", "X, born in Y, played for Z"."""
        walked, nodes = self.path(2)
        if len(walked) < 2:
            return None
        middle, first, second = nodes[1], walked[0], walked[1]
        ends = [nodes[0], nodes[2]]
        wrong = self.rng.random() < 0.5
        if wrong:
            which = self.rng.randrange(2)
            hop = (first, replace(second, known=second.asked))[which]
            ends[which] = self._other_end(hop, ends[which], middle)
        about = [replace(first, known=first.asked), second]
        denied = self.rng.random() < 0.2
        says = [
            predicate(h.entry, h.verbalisation, h.known, self.name(e), no=denied and i == 1)
            for i, (h, e) in enumerate(zip(about, ends, strict=True))
        ]
        if not all(says) or len({middle, *ends}) < 3:
            return None
        name = self.name(middle)
        one, two = str(says[0]), str(says[1])
        reduced = re.sub(r"^(was|is) ", "", one)
        forms = [f"{name} {one} and {two}"] * 3
        pronoun = "who" if classes()[first.entry.end(first.asked)]["wh"] == "who" else "which"
        forms += [f"{name}, {pronoun} {one}, {two}", f"{name}, {reduced}, {two}" if reduced != one else forms[0]]
        parts = [self.part(h, name, self.name(e)) for h, e in zip(about, ends, strict=True)]
        parts[1] = replace(parts[1], denied=denied)
        return self._made(self.rng.choice(forms), [middle, *ends], parts, [ends[0], middle, ends[1]])

    def _chain(self) -> Composed | None:
        """Two or three steps through unnamed things: "X directed a film that stars Y"."""
        walked, nodes = self.path(self.rng.choices([2, 3], [4, 1])[0])
        if len(walked) < 2:
            return None
        if self.rng.random() < 0.5:
            nodes[-1] = self._other_end(walked[-1], nodes[-1], nodes[-2])
        denied = self.rng.random() < 0.15
        text = self.name(nodes[-1])
        for i in range(len(walked) - 1, 0, -1):
            hop = walked[i]
            does = predicate(hop.entry, hop.verbalisation, hop.known, text)
            if does is None:
                return None
            class_ = self._class(walked[i - 1], nodes[i])
            pronoun = "who" if classes()[class_]["wh"] == "who" else self.rng.choice(["that", "which"])
            noun = article(self.realiser.word(class_))
            reduced = re.match(r"(?:was|is) (\w+ (?:by|in|at|for|on) .+)", does)
            text = f"{noun} {reduced[1]}" if reduced and self.rng.random() < 0.5 else f"{noun} {pronoun} {does}"
        first = walked[0]
        does = predicate(first.entry, first.verbalisation, first.known, text, no=denied)
        if does is None:
            return None
        used: set[str] = set()
        here, parts = self.name(nodes[0]), list[Part]()
        for i, hop in enumerate(walked):
            last = i == len(walked) - 1
            there = self.name(nodes[i + 1]) if last else self._variable(self._class(hop, nodes[i + 1]), used)
            parts.append(replace(self.part(hop, here, there), denied=denied and i == 0))
            here = there
        return self._made(f"{self.name(nodes[0])} {does}", [nodes[0], nodes[-1]], parts, nodes)

    def _both_ends(self) -> Composed | None:
        """Two facts about something unnamed: "A film directed by X stars Y"."""
        walked, nodes = self.path(2)
        if len(walked) < 2:
            return None
        if self.rng.random() < 0.5:
            nodes[2] = self._other_end(walked[1], nodes[2], nodes[1])
        about = [replace(walked[0], known=walked[0].asked), walked[1]]
        says = [
            predicate(h.entry, h.verbalisation, h.known, self.name(n))
            for h, n in zip(about, (nodes[0], nodes[2]), strict=True)
        ]
        if not all(says) or nodes[0] == nodes[2]:
            return None
        class_ = self._class(walked[0], nodes[1])
        one, two = str(says[0]), str(says[1])
        noun, reduced = article(self.realiser.word(class_)), re.sub(r"^(was|is) ", "", one)
        pronoun = "who" if classes()[class_]["wh"] == "who" else "that"
        forms = [
            f"{noun} {pronoun} {one} {two}",
            f"{noun} {one} and {two}",
            f"there is {noun} {pronoun} {one} and {two}",
        ]
        if reduced != one and " by " in one:
            forms.append(f"{noun} {reduced} {two}")
        variable = self._variable(class_, set())
        parts = [self.part(h, variable, self.name(n)) for h, n in zip(about, (nodes[0], nodes[2]), strict=True)]
        return self._made(self.rng.choice(forms), [nodes[0], nodes[2]], parts, nodes)

    # helpers --------------------------------------------------------------------------------------------------

    def _maybe_false(self, hop: Hop, nodes: list[str]) -> list[str]:
        return nodes if self.rng.random() < 0.5 else [nodes[0], self._other_end(hop, nodes[1], nodes[0])]

    def _other_end(self, hop: Hop, end: str, known: str) -> str:
        """Another end of the same relation that ``known`` is not linked to; ``end`` where none is found."""
        head_side = hop.triple.head == known
        pool = self.vocabulary.by_relation[hop.triple.relation]
        for _ in range(20):
            triple = self.rng.choice(pool)
            other = triple.tail if head_side else triple.head
            linked = Triple(known, triple.relation, other) if head_side else Triple(other, triple.relation, known)
            if other not in (known, end) and not any(self.kg.triples(*linked)):
                return other
        return end

    def _without(self, hop: Hop) -> str:
        """An entity like the step's start (it has some other relation) that lacks the step's relation."""
        for _ in range(10):
            triple = self.rng.choice(self.vocabulary.by_relation[self.rng.choice(self.relations)])
            node = self.rng.choice([triple.head, triple.tail])
            if not any(d.relation == hop.triple.relation for d in self.kg.relations(node)):
                entry, swapped = self.vocabulary.records[triple.relation]
                class_ = entry.end("L" if (node == triple.head) != swapped else "R")
                if class_ == hop.entry.end(hop.known):
                    return node
        return ""

    def _made(self, text: str, order: list[str], parts: list[Part], nodes: list[str]) -> Composed | None:
        if len(set(order)) < len(order):
            return None
        lead = self.rng.choice(_LEADS) if self.rng.random() < 0.35 else ""
        first = order[0] if order else ""
        if lead and not text.startswith(self.name(first)):
            text = text[:1].lower() + text[1:]
        text = lead + text if lead else text[:1].upper() + text[1:]
        style = self.rng.random()
        if style < 0.04:
            text = f"{text}, right?"
        else:
            text += "!" if style < 0.1 else "" if style < 0.15 or text.endswith(".") else "."
        if any(p.denied for p in parts) and self.rng.random() < 0.35:
            text = re.sub(r"\b(is|was|are|were|did|does|do) not\b", r"\1n't", text, count=1)
        names = {n: self.name(n) for n in order}
        found = sorted(order, key=lambda n: text.casefold().find(names[n].casefold()))
        composed = Composed("verify", text, tuple(found), tuple(parts), tuple(nodes))
        return replace(composed, holds=all(fits for _, fits in self.judged(composed)))

    def judged(self, composed: Composed) -> list[tuple[list[int], bool]]:
        """The connected components of a claim's parts, each with whether the graph agrees with the claim there."""
        match = self.executed(composed)
        missing = set(match.unmatched)
        return [
            (component, missing.isdisjoint(component) != any(composed.parts[i].denied for i in component))
            for component in connected_components(match.clauses)
        ]
