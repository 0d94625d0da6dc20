"""Whether Unity reads an object of a text asset."""
