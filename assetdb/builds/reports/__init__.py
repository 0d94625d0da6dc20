"""Which report and project belong to a build."""
