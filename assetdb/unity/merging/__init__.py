"""Three-way merges of Unity's text files, object by object; pure."""
