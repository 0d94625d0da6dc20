"""``assetdb doctor``: examination of an installation and a project, without changes."""
