"""The assistant's nodes: routing, memory, asking back, answers with checked citations."""
