"""What "or" and "nor" join in a sentence."""
