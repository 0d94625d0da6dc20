"""The walk: listings, links and submodules of a tree."""
