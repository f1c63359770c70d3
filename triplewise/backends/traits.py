"""What the rest of the project needs to know of a chat model, in one place.

A chat model states a trait by an attribute of that name. What it does not state is taken as absent, so that any
LangChain chat model can be used. A chat model that hands its calls to another one states that one as ``wrapped``, and
has all its traits but the price: the wrapper knows what a call through it costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from langchain_core.language_models import BaseChatModel

from triplewise.types import Price

ReplyStyle = Literal["full", "short"]
"""How nodes ask: with instructions and examples, or by the short prompts that a trained model learned."""
TRAINED_METHODS = frozenset({"kg-gpt", "cot-kg", "query-graph"})
"""The methods whose nodes the adapters of ``triplewise train`` learn, or whose ranker chooses in place of the model."""


@dataclass(frozen=True, slots=True)
class ModelTraits:
    """The traits of a chat model, each looked up when it is asked for: some need the model's weights."""

    model: BaseChatModel

    @property
    def asked(self) -> BaseChatModel:
        """The model that replies, behind those that wrap it."""
        model = self.model
        while (wrapped := getattr(model, "wrapped", None)) is not None:
            model = wrapped
        return model

    @property
    def supports_grammar(self) -> bool:
        """It decodes under a grammar (``grammar=``, GBNF) and ranks given replies by their probability (``rank=``)."""
        return bool(getattr(self.asked, "supports_grammar", False))

    @property
    def trained_for(self) -> frozenset[str]:
        """Ids of the methods whose nodes it was trained for.

        Stated as ``trained_for``, or as ``trained_for_nodes`` by an adapter of ``triplewise train``.
        """
        stated = getattr(self.asked, "trained_for", None)
        if stated is None:
            return TRAINED_METHODS if getattr(self.asked, "trained_for_nodes", False) else frozenset()
        return frozenset(stated)

    @property
    def known_relations(self) -> frozenset[str]:
        """Words of the relations that it was trained on; empty where it does not say."""
        return frozenset(getattr(self.asked, "known_relations", ()))

    @property
    def reply_style(self) -> ReplyStyle:
        """The style that suits the model: the one place where it is chosen, for methods and for composed graphs."""
        return "short" if self.trained_for else "full"

    @property
    def price(self) -> Price | None:
        """US dollars per million tokens; None where no price is known, and where calls are ``free``."""
        return getattr(self.model, "price", None)

    @property
    def free(self) -> bool:
        """It runs in this process, so that its calls cost no money."""
        return not hasattr(self.model, "price")

    @property
    def max_concurrency(self) -> int | None:
        """Calls that it takes at once; None where it does not say."""
        return getattr(self.asked, "max_concurrency", None)


def traits_of(model: BaseChatModel) -> ModelTraits:
    """The traits of a chat model."""
    return ModelTraits(model)
