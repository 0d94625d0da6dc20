"""Files of a daemon: its lock, log and status file."""
