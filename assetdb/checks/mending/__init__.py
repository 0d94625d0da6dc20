"""Changes of project files: planned first, applied all or none."""
