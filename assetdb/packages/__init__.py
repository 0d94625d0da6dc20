"""Packages outside a project's own folders, with their own database.

Not a part of ``assetdb.resolve``, which uses them for names: a bake also updates their database, and is in a lower
layer than names.
"""
