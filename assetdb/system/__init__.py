"""The operating system: safe opening, errors, identities, threads."""
