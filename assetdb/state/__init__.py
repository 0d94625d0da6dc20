"""The database in memory: names, entries, references; pure."""
