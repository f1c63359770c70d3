"""``triplewise eval``: its options, its commands, and what they print."""
