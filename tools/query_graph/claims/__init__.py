"""Claims: of an extreme, of all of a kind, of one thing only; what a reading leaves unsaid; the verdict."""
