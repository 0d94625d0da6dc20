"""The contents of assets: hierarchies, values and overrides; pure."""
