"""Training of query-graph: the corpus, its examples, and the ranker."""
