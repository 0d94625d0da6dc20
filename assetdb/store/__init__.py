"""Files that assetdb writes: database, index, cache, locks."""
