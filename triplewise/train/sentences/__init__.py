"""English for paths of a graph: questions, claims and statements, by the lexicon."""
