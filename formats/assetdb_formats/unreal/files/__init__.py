"""Package files on disk: opening them, their version and their parts."""
