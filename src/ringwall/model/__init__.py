"""The words that every room shares. This room imports nothing of ours and does no I/O."""
