"""Runs as an HTML page and as Markdown."""
