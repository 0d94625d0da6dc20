"""Changes of a bundle."""
