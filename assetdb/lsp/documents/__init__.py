"""Open documents: their text, names, outline and findings."""
