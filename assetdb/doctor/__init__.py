"""The examination of an installation and a project: versions, files, daemon, git, editors. Nothing is written."""
