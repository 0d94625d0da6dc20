"""Commands on containers: their packages, chunks and files."""
