"""Builds of a project: players and bundles as one thing.

A layer above :mod:`assetdb_formats`.

>>> from assetdb.builds import open_build
>>> build = open_build("Game_Data")                     # doctest: +SKIP
>>> for found in build.objects():                        # doctest: +SKIP
...     print(build.files[found.file].name, found.path_id, found.class_name, found.name)

* :mod:`~assetdb.builds.parts`: the files of a build, and the facts of each; cached.
* :mod:`~assetdb.builds.build`: all of it joined, by :mod:`~assetdb.builds.opening`. Begin here.
* :mod:`~assetdb.builds.objects`: its objects: chosen, their bytes, values and scripts.
* :mod:`~assetdb.builds.query`: questions to it, and its catalogs.
* :mod:`~assetdb.builds.engines`: builds of other engines, in one shape.
* :mod:`~assetdb.builds.groups`: the result of building a project's groups; :mod:`~assetdb.builds.trace`: a build
  joined with a project; :mod:`~assetdb.builds.served`: the answers of both as plain data, of builds kept open.
"""

from __future__ import annotations

from assetdb_formats.lazy_names import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.builds.build import Build, BuildFile, BuildObject, Reference
    from assetdb.builds.objects.selection import lookup
    from assetdb.builds.objects.values import read_values
    from assetdb.builds.opening import open_build
    from assetdb.builds.query.catalogs import Catalogs, read_catalogs
    from assetdb.builds.query.comparison import compare
    from assetdb.builds.query.duplicates import find_duplicates
    from assetdb.builds.query.reasons import why
    from assetdb.builds.query.sizes import Sizes, measure
    from assetdb.builds.query.summary import Summary, summarize
    from assetdb.builds.query.verification import Verification, verify
    from assetdb.builds.served.answers import group_answers, trace_answers
    from assetdb.builds.trace.question import ask, ask_each
    from assetdb.builds.trace.tracer import Tracer

__all__ = [
    "Build",
    "BuildFile",
    "BuildObject",
    "Catalogs",
    "Reference",
    "Sizes",
    "Summary",
    "Tracer",
    "Verification",
    "ask",
    "ask_each",
    "compare",
    "find_duplicates",
    "group_answers",
    "lookup",
    "measure",
    "open_build",
    "read_catalogs",
    "read_values",
    "summarize",
    "trace_answers",
    "verify",
    "why",
]

_HOMES = {
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
}

__getattr__, __dir__ = lazy_names(__name__, globals(), _HOMES, __all__)
