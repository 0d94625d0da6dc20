"""Commands for the daemon, and servers for editors and assistants."""
