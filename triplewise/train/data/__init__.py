"""Training data: examples of the nodes' skills, instructions, reasoning, their file."""
