"""Readers and writers of engine file formats: bytes and typed tables.

This package imports nothing of :mod:`assetdb`; every reader raises :class:`assetdb_formats.binary.FormatError`
and nothing else on bytes that are not what they should be.
"""
