"""Finding triples: joins over a pattern, the vector index, BM25, retrieval by a question or along a plan."""
