"""Entities, relations and triples as text for prompts and screens."""
