"""Git's knowledge of a project's files."""
