"""Follow-ups said in full by a small model that has learnt it from conversations."""
