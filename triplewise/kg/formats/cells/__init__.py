"""What the cells of tables tell: dates, numbers, yes and no, lists; column by column."""
