"""Readers (and where said, writers) of engine file formats: bytes in, typed tables out.

This package imports nothing of :mod:`assetdb`; every reader raises :class:`assetdb_formats.binary.FormatError`
and nothing else on bytes that are not what they should be.
"""
