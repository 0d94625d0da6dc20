"""Git's configuration for a project: attributes, drivers, hooks."""
