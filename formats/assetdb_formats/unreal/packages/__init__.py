"""The tables of a package: summary, names, imports, exports and sections."""
