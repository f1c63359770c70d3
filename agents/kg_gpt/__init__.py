"""The nodes of KG-GPT (Kim, Kwon, Jo and Choi, 2023): segment, select relations, retrieve evidence, reason."""
