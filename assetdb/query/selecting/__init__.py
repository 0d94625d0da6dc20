"""From words to assets and objects: selectors, names, answer forms."""
