"""The wall's state: sealed plans as they are kept, what moves their pointers, products, and the quiet log.

Only this room writes the tables `plans`, `pointers`, `reservations`, `snapshots` and `quiet`.
"""
