"""Encoders of BERT's kind in NumPy, with which readings are ranked: no torch, and no download but the extra's."""
