"""Unity Addressables: catalogs of every format and the files around them. Bytes in, typed facts out."""
