"""The papers' tables as data, and a run beside them."""
