"""The harvest: what people corrected becomes candidate rules, which a person accepts."""
