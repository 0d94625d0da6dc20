"""Builds of a project: players and bundles as one thing.

A layer above :mod:`assetdb_formats`.

>>> from assetdb.builds import open_build
>>> build = open_build("Game_Data")
>>> for found in build.objects():
...     if found.name:
...         print(build.files[found.file].name, found.path_id, found.class_name, found.name)
globalgamemanagers.assets 9 MonoScript Picker
level0 10 GameObject Tree
level0 77 MonoScript Picker
sharedassets0.assets 3 Texture2D apple
sharedassets0.assets 4 Texture2D apple again

* :mod:`~assetdb.builds.parts`: the files of a build, and the facts of each; cached.
* :mod:`~assetdb.builds.build`: all of it joined, by :mod:`~assetdb.builds.opening`. Begin here.
* :mod:`~assetdb.builds.objects`: its objects: chosen, their bytes, values and scripts.
* :mod:`~assetdb.builds.query`: questions to it, and its catalogs.
* :mod:`~assetdb.builds.engines`: builds of other engines, in one shape.
* :mod:`~assetdb.builds.groups`: the result of building a project's groups; :mod:`~assetdb.builds.trace`: a build
  joined with a project; :mod:`~assetdb.builds.served`: the answers of both as plain data, of builds kept open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.lazy_names import lazy_names

if TYPE_CHECKING:
    from assetdb.builds.build import Build as Build
    from assetdb.builds.build import BuildFile as BuildFile
    from assetdb.builds.build import BuildObject as BuildObject
    from assetdb.builds.build import Reference as Reference
    from assetdb.builds.objects.selection import lookup as lookup
    from assetdb.builds.objects.values import read_values as read_values
    from assetdb.builds.opening import open_build as open_build
    from assetdb.builds.query.catalogs import Catalogs as Catalogs
    from assetdb.builds.query.catalogs import read_catalogs as read_catalogs
    from assetdb.builds.query.comparison import compare as compare
    from assetdb.builds.query.duplicates import find_duplicates as find_duplicates
    from assetdb.builds.query.reasons import why as why
    from assetdb.builds.query.sizes import Sizes as Sizes
    from assetdb.builds.query.sizes import measure as measure
    from assetdb.builds.query.summary import Summary as Summary
    from assetdb.builds.query.summary import summarize as summarize
    from assetdb.builds.query.verification import Verification as Verification
    from assetdb.builds.query.verification import verify as verify
    from assetdb.builds.served.answers import group_answers as group_answers
    from assetdb.builds.served.answers import trace_answers as trace_answers
    from assetdb.builds.trace.question import ask as ask
    from assetdb.builds.trace.question import ask_each as ask_each
    from assetdb.builds.trace.tracer import Tracer as Tracer
else:
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        globals(),
        {
            "build": ("Build", "BuildFile", "BuildObject", "Reference"),
            "objects.selection": ("lookup",),
            "objects.values": ("read_values",),
            "opening": ("open_build",),
            "query.catalogs": ("Catalogs", "read_catalogs"),
            "query.comparison": ("compare",),
            "query.duplicates": ("find_duplicates",),
            "query.reasons": ("why",),
            "query.sizes": ("Sizes", "measure"),
            "query.summary": ("Summary", "summarize"),
            "query.verification": ("Verification", "verify"),
            "served.answers": ("group_answers", "trace_answers"),
            "trace.question": ("ask", "ask_each"),
            "trace.tracer": ("Tracer",),
        },
    )
