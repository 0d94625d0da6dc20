"""Trace of assets to built objects, and back.

A build says of its objects neither GUID nor path. A :class:`~assetdb.builds.trace.tracer.Tracer` joins a build with a
project by whatever both have: hashes that name objects in bundles, paths, names, the order in scenes, references. Each
answer says how certain it is, and by which of them it was found.

>>> from assetdb.builds import open_build
>>> from assetdb.builds.trace.tracer import Tracer
>>> from assetdb.query.snapshots.snapshot import open_project
>>> build = open_build("Bundles")
>>> tracer = Tracer(build, open_project("Orchard"))
>>> for row in tracer.all(range(2, 7)):
...     print(f"{build.title(row.number)}: {row.certainty}, {row.by}:", *(source.path for source in row.sources))
Same: candidates, class and name: Assets/A/Same.png Assets/B/Same.png
Only: unique, class and name: Assets/Only.png
Nobody: none, :
Tex: exact, PathID: Assets/Tex.png
Mat: exact, PathID: Assets/Mat.mat
"""
