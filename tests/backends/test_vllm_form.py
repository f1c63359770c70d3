"""What is sent to a server is in vLLM's documented chat request, and its report of cached prompt tokens is read."""

from __future__ import annotations

from typing import Any

from triplewise.backends import load_chat_model

DOCUMENTED = {
    "messages", "model", "frequency_penalty", "logit_bias", "logprobs", "top_logprobs", "max_tokens",
    "max_completion_tokens", "n", "presence_penalty", "response_format", "seed", "stop", "stream", "stream_options",
    "temperature", "top_p", "tools", "tool_choice",
}  # fmt: skip
"""OpenAI's chat fields that vLLM's server takes (docs.vllm.ai, OpenAI-Compatible Server); parallel_tool_calls and user
are ignored there."""


def test_the_request_holds_documented_fields_only(fake_openai: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    server = fake_openai(["Paris", "Paris"], cached_tokens=2)
    model = load_chat_model(
        "openai:NousResearch/Meta-Llama-3-8B-Instruct", temperature=0.2, top_p=0.1, max_tokens=5, seed=1
    )
    reply = model.invoke("What is the capital of France?", stop=["\n"])
    assert reply.usage_metadata is not None
    assert reply.usage_metadata["input_token_details"]["cache_read"] == 2  # usage.prompt_tokens_details.cached_tokens
    list(model.stream("And again?"))
    for body in server.bodies:
        assert set(body) <= DOCUMENTED
        assert {m["role"] for m in body["messages"]} <= {"system", "user", "assistant"}
        assert all(isinstance(m["content"], str) for m in body["messages"])
    assert server.bodies[0]["max_tokens"] == 5 and server.bodies[0]["stop"] == ["\n"]


def test_prompts_of_two_questions_share_their_beginning() -> None:
    """Prefix caching pays where the shared part comes first: instructions and examples before the question."""
    from triplewise.prompts.template import load_prompt

    for name in ("segment_ask", "segment_ask_paper", "select_paper", "answer_paper", "verify_paper", "verify_sentence"):
        text = "".join(content for _, content in load_prompt(f"kg_gpt/{name}").messages)
        assert text.index("${examples}") < text.index("$sentence")
