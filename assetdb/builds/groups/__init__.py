"""What a build of a project's Addressables groups would put where."""
