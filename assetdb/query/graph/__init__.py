"""Questions to the graph of references."""
