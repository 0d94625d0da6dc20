"""Managed DLLs: types, fields and attributes (ECMA-335, part II).

No code is read or run. ``image`` finds the metadata in a file, ``tables`` the rows in these, ``signatures`` the types
of fields, ``assembly`` puts them together, and ``resolution`` follows references from one assembly to another.
"""
