"""`decide()` and one module per stage. Pure: all that it needs stands in its arguments."""
