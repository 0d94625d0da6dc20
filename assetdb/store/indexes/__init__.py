"""The index file: offsets, folders, references, and a supplement."""
