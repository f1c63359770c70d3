"""What a sentence names: things, by parts of their names and other names, classes, dates and numbers."""
