"""What a turn of a conversation wants, told by its words."""
