"""What is counted, added up or put in order of what was told."""
