"""Textures: sizes of pictures, compression that metas choose, sizes when imported."""
