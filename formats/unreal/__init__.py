"""Unreal packages (.uasset, .umap, .uexp) of engine 4.0 to 5.7, and what a folder of them is: pure Python.

What one package is, is in :mod:`formats.unreal.package`; what its objects hold, in
:mod:`formats.unreal.properties`; what a folder of packages is, in :mod:`formats.unreal.database`.
"""
