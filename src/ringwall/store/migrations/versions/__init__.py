"""One module per schema number."""
