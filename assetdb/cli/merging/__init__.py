"""Commands on merges: git's driver, and answers to open values."""
