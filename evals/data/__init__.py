"""What an evaluation asks: data sets, items and their identity."""
