"""Candidate readings: what a graph proposes about the things that a sentence names, as drafts of query graphs."""
