"""Trace of assets to built objects, and back."""
