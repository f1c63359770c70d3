"""Query graphs from a sentence: mentions, candidates that the graph proposes, their ranking, verdicts, readback."""
