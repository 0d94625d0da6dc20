"""Open values of files in a merge, and answers to them."""
