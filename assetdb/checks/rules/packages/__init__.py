"""Rules about packages: manifest, lock file, packages in the project."""
