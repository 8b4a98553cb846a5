"""The registry of agents and their missions: spec, control, events."""
