"""What each of two things is to the other by the words between them."""
