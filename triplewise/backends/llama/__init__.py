"""llama.cpp in this process: its library, engine, grammars, and the chat model."""
