"""Misspelt words put right before a sentence is read."""
