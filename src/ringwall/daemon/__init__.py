"""The socket server, its protocol, and the Python client."""
