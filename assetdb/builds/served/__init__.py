"""Builds in a daemon: opened once, and again when their files change."""
