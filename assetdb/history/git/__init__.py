"""Git: processes, repositories, objects, revisions and merges."""
