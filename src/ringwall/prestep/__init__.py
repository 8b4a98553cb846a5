"""Short hints before a step: is the project connected, and in which role."""
