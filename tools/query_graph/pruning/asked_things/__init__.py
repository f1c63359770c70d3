"""What is asked for as a thing: what was bought, and what a relation calls so."""
