"""Sentences in the words of the graph, where the user's own name nothing in it."""
