"""The command line; other interfaces follow."""
