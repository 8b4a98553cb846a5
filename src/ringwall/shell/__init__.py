"""A command line → its simple commands → their effects.

Invariant: pure; what it cannot know for certain it reports as possible, what it cannot read as a doubt.
"""
