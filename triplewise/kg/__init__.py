"""Knowledge-graph stores, loaders, entity search and entity linking."""
