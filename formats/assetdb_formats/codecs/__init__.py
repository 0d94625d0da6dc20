"""Codes and hashes that more than one family of formats uses."""
