"""The workspace: the way from a project's tree to its files."""
