"""Stores outside memory: Oxigraph on disk and SPARQL endpoints; both implement ``triplewise.kg.KGStore``."""
