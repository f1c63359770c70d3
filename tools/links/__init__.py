"""Link prediction: integer-coded triples, scorers, ranks and demonstrations."""
