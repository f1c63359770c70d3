"""Candidates about persons: where they live, what is theirs, whose sister somebody is."""
