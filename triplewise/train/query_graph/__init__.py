"""Training of the ranker of query graphs."""
