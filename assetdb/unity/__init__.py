"""What Unity's own files say. Pure: bytes in, facts out; nothing here opens a file."""
