"""``triplewise chat``: the assistant in a terminal."""
