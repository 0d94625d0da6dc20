"""Unity's own bundles (UnityFS) and the SerializedFiles in them, and the two ways from a project to them.

Import the module of what is needed; this one imports nothing, because :mod:`formats.unityfs.mainclass` is asked
about every binary ``.asset`` of a project and must cost next to nothing.

* :mod:`~formats.unityfs.bundle`: a whole bundle: its files, objects, container, names. Begin here.
* :mod:`~formats.unityfs.archive`, :mod:`~formats.unityfs.blocks`: the archive and its compressed blocks;
  :mod:`~formats.unityfs.webarchive`: those of Unity 2 to 5; :mod:`~formats.unityfs.release`: inferred versions.
* :mod:`~formats.unityfs.serialized`, :mod:`~formats.unityfs.typetree`, :mod:`~formats.unityfs.values`: a
  SerializedFile, its type trees, and an object read with one.
* :mod:`~formats.unityfs.identity`: from a bundle name, a GUID and a fileID to the names in a built bundle.
* :mod:`~formats.unityfs.mainclass`: what a binary ``.asset`` of a project is.
"""
