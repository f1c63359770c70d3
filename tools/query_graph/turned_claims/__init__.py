"""Claims that are read by a question or by a plainer claim: of an extreme, of all of a kind, of one thing only."""
