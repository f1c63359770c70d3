"""What a reading leaves unsaid of its claim, and the verdict."""
