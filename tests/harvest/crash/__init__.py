"""Kills, refuses and loses writes, and looks at what is left."""
