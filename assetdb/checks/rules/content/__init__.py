"""Rules about the contents of a game: animators, materials, shaders, interfaces."""
