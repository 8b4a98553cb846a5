"""Ringwall, a governor for coding agents.

Importing this package imports nothing else: `ringwall --version` and the hook path stay quick.
"""

__version__ = "0.1.0"
