"""Unreal Engine: packages (.uasset, .umap), IoStore containers (.utoc, .ucas) and .pak files, read without the engine."""
