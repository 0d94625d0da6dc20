"""What version control knows of a project's files."""
