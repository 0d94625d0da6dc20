"""References in files, in each form that Unity writes."""
