"""LangChain tools over a knowledge graph: read-only, typed, replies capped, evidence as plain JSON by number."""
