"""Graph files read into triples: TSV, CSV, N-Triples, Turtle, JSON-LD, and the headers that tell which."""
