"""A model that hands its calls to another one has that one's traits, through any number of such models."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel

from triplewise.backends.fake import ScriptedChatModel
from triplewise.backends.traits import ModelTraits, traits_of
from triplewise.evals.accounting.call_broker import LEDGER, LedgerChat
from triplewise.evals.accounting.ledger import Ledger
from triplewise.evals.accounting.spend import FREE, Payer
from triplewise.evals.runs.inspect_model import InspectChat, TriplewiseAPI
from triplewise.types import Caps, Price


class Trained(ScriptedChatModel):
    """States every trait."""

    supports_grammar: bool = True
    trained_for: frozenset[str] = frozenset({"kg-gpt"})
    known_relations: frozenset[str] = frozenset({"directed by"})
    max_concurrency: int = 3
    price: Price | None = Price(1.0, 2.0)


PASSED_ON = sorted({n for n, v in inspect.getmembers(ModelTraits) if isinstance(v, property)} - {"asked", "free"})


@pytest.fixture
def wrappers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """(the model, wrapped for a ledger, wrapped by Inspect around that)."""
    model = Trained()
    ledger = LedgerChat(chat=model, payer=Payer(model, Ledger(tmp_path / LEDGER), Caps()))
    monkeypatch.setattr("triplewise.evals.runs.inspect_model.load_chat_model", lambda *_, **__: ledger)
    api = TriplewiseAPI("scripted")
    assert api.chat is ledger

    class Running:
        """Inspect's model, of which only the backend is looked at."""

        def __init__(self) -> None:
            self.api = api

    yield model, ledger, InspectChat(model=Running())
    ledger.close()


@pytest.mark.parametrize("trait", PASSED_ON)
def test_a_wrapper_has_the_traits_of_what_it_wraps(trait: str, wrappers: tuple[BaseChatModel, ...]) -> None:
    model, ledger, inspected = wrappers
    stated = getattr(traits_of(model), trait)
    assert stated not in (None, False, frozenset(), "full"), "the test's model states every trait"
    assert getattr(traits_of(ledger), trait) == getattr(traits_of(inspected), trait) == stated
    assert traits_of(inspected).asked is model


def test_a_model_in_this_process_costs_nothing_through_a_ledger(tmp_path: Path) -> None:
    class Local(BaseChatModel):
        _llm_type: str = "local"

        def _generate(self, *args: Any, **kwargs: Any) -> Any: ...

    model = Local()
    assert traits_of(model).free and traits_of(model).price is None
    ledger = LedgerChat(chat=model, payer=None)
    assert traits_of(ledger).price == FREE and not traits_of(ledger).free
