"""Compression and encryption of containers."""
