"""Candidates that only claims have: what could be said of the named things, and what is denied of them."""
