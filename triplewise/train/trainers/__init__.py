"""The trainings: adapters, the retriever, RotatE."""
