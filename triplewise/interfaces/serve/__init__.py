"""The server: the page, the OpenAI-compatible API and MCP over one ``Assistant`` (docs/serve.md)."""
