"""What is not settled yet: what is lent and not back, charged and not paid, to be done or to be answered."""
