"""Evaluations as they run: planned, estimated, started, resumed, reproduced."""
