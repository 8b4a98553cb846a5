"""What holds for all tests. Invariant: no test fails because a machine was busy."""

from hypothesis import settings

settings.register_profile("ringwall", deadline=None)
settings.load_profile("ringwall")
