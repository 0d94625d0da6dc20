"""Known facts of a tree: the cache, content ids, identities."""
