"""The writer of planned changes, with a journal to undo them."""
