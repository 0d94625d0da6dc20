"""Assets that Unity saved binary: SerializedFiles of a project."""
