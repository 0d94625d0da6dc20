"""Contents of a game beyond its objects: animators, shaders, interfaces, input."""
