"""The nodes of KICGPT (Wei, Huang, Zhang and Kwok, 2023): candidates, demonstrations, conversation, ranking."""
