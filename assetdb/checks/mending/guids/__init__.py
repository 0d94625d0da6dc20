"""GUIDs in a project: drawn, searched and rewritten."""
