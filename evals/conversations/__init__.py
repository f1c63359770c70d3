"""Conversations with the assistant, scored turn by turn."""
