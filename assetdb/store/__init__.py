"""Files that assetdb writes: the database, its index, the cache; atomically and under a lock."""
