"""The local web page where people decide.

`app` answers requests, `guard` refuses those that do not come from our own page, `pairing` says which
browsers and terminals are a person's, `pages` hold one page each. docs/console.md says how to add one.
"""
