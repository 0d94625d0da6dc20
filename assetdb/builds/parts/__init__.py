"""Parts of a build: found in folders and archives, read, and cached."""
