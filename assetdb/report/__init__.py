"""A project as one page for a browser."""
