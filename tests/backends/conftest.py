"""Of LangChain's standard suite, what repeats another test runs in make test-all."""

from __future__ import annotations

import pytest

# The same grammars and prompts as without await, for a model of which one call takes seconds; and pydantic's old form.
REPEATED = ("TestIntegration::test_structured_output_async", "TestIntegration::test_structured_output_pydantic_2_v1")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The suite allows no test of its own to be overridden, so that they are marked here."""
    for item in items:
        if "test_llamacpp_standard" in item.nodeid and any(name in item.nodeid for name in REPEATED):
            item.add_marker(pytest.mark.slow)
