"""Observers, which tell a daemon that files changed, on each platform."""
