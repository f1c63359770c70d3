"""Which candidates may be meant at all, and what they answer with: what the words ask for and deny."""
