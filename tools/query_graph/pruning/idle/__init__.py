"""Readings that add to another, which holds all that is said, only what nothing says."""
