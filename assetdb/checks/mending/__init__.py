"""Changes of a project's files: planned as bytes before and after, then made by one writer, all or none."""
