"""Readings that ask for the most and the least, and that compare."""
