"""LangChain's standard suites: the scripted model, and ``openai:`` against the loopback server."""

from __future__ import annotations

from typing import Any

import pytest
from fake_openai_server import FakeOpenAI
from langchain_tests.integration_tests import ChatModelIntegrationTests
from langchain_tests.unit_tests import ChatModelUnitTests
from obliging import scripted, served

from triplewise.backends.fake import ScriptedChatModel
from triplewise.backends.openai import OpenAIChat


class TestScriptedUnit(ChatModelUnitTests):
    @property
    def chat_model_class(self) -> Any:
        return ScriptedChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"responses": scripted}


class TestScriptedIntegration(ChatModelIntegrationTests):
    @property
    def chat_model_class(self) -> Any:
        return ScriptedChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"responses": scripted}

    @property
    def supports_anthropic_inputs(self) -> bool:
        return True

    @property
    def supports_model_override(self) -> bool:
        return True

    @property
    def model_override_value(self) -> str:
        return "another"


@pytest.fixture(scope="module")
def server() -> Any:
    with FakeOpenAI(served) as running:
        yield running


class TestOpenAIUnit(ChatModelUnitTests):
    @property
    def chat_model_class(self) -> Any:
        return OpenAIChat

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"model": "fake", "api_key": "none", "base_url": "http://localhost:1/v1"}


# Both warnings are langchain-openai's own: it serialises parsed replies in a stream, and falls back for pydantic 1.
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings", "ignore:Received a Pydantic BaseModel V1")
class TestOpenAIIntegration(ChatModelIntegrationTests):
    @property
    def chat_model_class(self) -> Any:
        return OpenAIChat

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"model": "fake", "api_key": "none", "base_url": self.url, "stream_usage": True}

    @pytest.fixture(autouse=True)
    def _running(self, server: FakeOpenAI) -> None:
        type(self).url = server.url

    url = "http://localhost:1/v1"

    @property
    def supports_json_mode(self) -> bool:
        return True

    @property
    def supports_model_override(self) -> bool:
        return True

    @property
    def model_override_value(self) -> str:
        return "another"
