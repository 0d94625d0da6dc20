"""Unity's YAML: documents, objects and properties of text assets."""
