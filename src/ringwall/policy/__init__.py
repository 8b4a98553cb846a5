"""Policy: presets, permissions, autonomy and roles; loading, matching.

Invariant: pure. Files come in as bytes with a name, and go out as a `Policy` or as errors with a place.
"""
