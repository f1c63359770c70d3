"""A file per command of the command line; ``eval`` and ``train`` are folders."""
