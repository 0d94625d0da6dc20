"""``.meta`` files: read, looked up and written."""
