"""Which days may be meant, and whether what is so now or what once was."""
