"""What is spoken with a daemon: protocol, methods, transport."""
