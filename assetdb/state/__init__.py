"""From facts to a database in memory: names, entries, references; made whole or brought up to date. Pure."""
