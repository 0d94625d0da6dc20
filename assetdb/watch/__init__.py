"""Keeping a project's database current: what watches the files, what brings the answers up to date, who is told."""
