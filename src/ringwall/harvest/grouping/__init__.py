"""Who says which corrections belong together: engines behind one interface."""
