"""Questions to a project: a snapshot of its database, and what commands, daemon and programs ask of it."""
