"""Commands on merges: the driver for git, and answers to what it leaves open."""
