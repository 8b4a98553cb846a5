"""A site that tries to reach the network from a page by every way that we know of."""
