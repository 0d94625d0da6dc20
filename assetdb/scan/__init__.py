"""The scan: from folders to facts, reading only changes."""
