"""Many questions, claims and links in one run: items, their results on disk, and the engines that work them off."""
