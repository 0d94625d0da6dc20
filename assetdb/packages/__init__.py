"""Packages outside a project's own folders, with their own database.

Not a part of ``assetdb.resolve``, which asks them for names: a bake brings their database up to date, too, and stands
below what resolves names.
"""
