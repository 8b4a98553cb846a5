"""Questions to a person and their answers: proposals, what an answer is bound to, and granted rules.

Only this room writes the tables `proposals`, `asks` and `grants`.
"""
