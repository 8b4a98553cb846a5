"""The console: the local web page where people see what agents ask for, and decide."""
