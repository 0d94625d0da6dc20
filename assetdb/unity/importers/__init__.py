"""What Unity's importers make of a file: the objects inside models, DLLs, graphs, layered images."""
