"""The nodes of query-graph: the graph proposes readings, the ranker chooses, the executor proves."""
