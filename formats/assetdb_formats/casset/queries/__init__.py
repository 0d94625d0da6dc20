"""Questions about a bundle and its objects."""
