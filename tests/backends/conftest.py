"""Of LangChain's standard suite, what repeats another test runs in make test-all."""

from __future__ import annotations

import pytest

# The same grammars and prompts as without await, for a model of which one call takes seconds; pydantic's old form; and
# what test_llamacpp's test_every_kind_of_schema asks of shorter replies (test_structured_output_optional_param stays).
REPEATED = (
    "TestIntegration::test_structured_output_async",
    "TestIntegration::test_structured_output_pydantic_2_v1",
    "TestIntegration::test_structured_output[",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The suite allows no test of its own to be overridden, so that they are marked here."""
    for item in items:
        if "test_llamacpp_standard" in item.nodeid and any(name in item.nodeid for name in REPEATED):
            item.add_marker(pytest.mark.slow)
