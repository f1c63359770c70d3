"""The nodes of Retrieval and Reasoning on KGs (2024): plan, ground the plan, retrieve, format, reason."""
