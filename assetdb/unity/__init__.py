"""Unity's own files.

Pure: bytes in, facts out; nothing here opens a file.
"""
