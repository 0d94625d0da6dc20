"""From a project to what is built from it, and back."""
