"""What tells a daemon that files changed, on each platform."""
