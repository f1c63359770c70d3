"""Training: data drawn from graphs, sentences about them, and the trainers."""
