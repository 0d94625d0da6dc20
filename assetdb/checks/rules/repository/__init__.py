"""Rules on how the files of a project fit into its repository."""
