"""What a daemon answers of builds: they stand in it, and are read again where a file of theirs is another."""
