"""From assets to what was built from them, and back: a project joined with a build of it."""
