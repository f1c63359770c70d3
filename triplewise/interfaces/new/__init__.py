"""``triplewise new``: a project of one's own that reuses our nodes."""
