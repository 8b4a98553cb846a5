"""Every tool other than the shell: its action and its effects. Pure."""
