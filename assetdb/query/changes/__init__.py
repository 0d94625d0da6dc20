"""The two sides of a change."""
