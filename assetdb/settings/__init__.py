"""What a project and its user may settle: ``assetdb.toml``, the user's own file, the output folder."""
