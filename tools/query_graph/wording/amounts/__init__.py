"""Amounts that a sentence asks for: totals, averages, and the time between days."""
