"""The ways to complete a sentence by what was said before, a file for each kind of reference."""
