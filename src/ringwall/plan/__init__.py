"""Plans: parsed, linted, sealed, matched; the pointer and the sessions under it."""
