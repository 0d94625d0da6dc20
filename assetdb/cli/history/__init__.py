"""Commands about revisions, and names in the diffs of git."""
