"""Rules on sprites."""
