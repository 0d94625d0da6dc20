"""Unreal Engine: packages (.uasset, .umap), containers (.utoc, .ucas, .pak), read without the engine."""
