"""Settings of project and user: ``assetdb.toml``, user file, output folder."""
