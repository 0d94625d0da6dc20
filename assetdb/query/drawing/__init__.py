"""Pictures of references: which assets and edges, and how they are written."""
