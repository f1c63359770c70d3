"""What was told before and is called by a noun: "that street", "the most expensive one", "the cheap one"."""
