"""The formats of ``.casset`` files, read and written."""
