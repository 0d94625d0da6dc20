"""``assetdb doctor``: examination of an installation and a project.

Nothing is written.
"""
