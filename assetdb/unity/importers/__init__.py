"""Objects inside models, DLLs, graphs and layered images."""
