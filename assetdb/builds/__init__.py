"""Builds: what was built from a project, as one thing; a layer above :mod:`formats`.

>>> from assetdb.builds import open_build
>>> build = open_build("Game_Data")                     # doctest: +SKIP
>>> for found in build.objects():                        # doctest: +SKIP
...     print(build.files[found.file].name, found.path_id, found.class_name, found.name)

* :mod:`~assetdb.builds.parts`, :mod:`~assetdb.builds.reading`, :mod:`~assetdb.builds.facts`: the files a build lies in,
  and what each of them says; :mod:`~assetdb.builds.index` remembers it.
* :mod:`~assetdb.builds.build`: all of it joined. Begin here.
* :mod:`~assetdb.builds.summary`, :mod:`~assetdb.builds.selection`, :mod:`~assetdb.builds.sizes` and
  :mod:`~assetdb.builds.tables`, :mod:`~assetdb.builds.duplicates`, :mod:`~assetdb.builds.reasons`,
  :mod:`~assetdb.builds.comparison`, :mod:`~assetdb.builds.verification`, :mod:`~assetdb.builds.catalogs`: questions.
* :mod:`~assetdb.builds.trace`, :mod:`~assetdb.builds.question`: a build joined with a project;
  :mod:`~assetdb.builds.groups`, :mod:`~assetdb.builds.implicit`: what its groups would be built into.
  :mod:`~assetdb.builds.answers` has the answers as plain data, of builds that stand (:mod:`~assetdb.builds.standing`).
"""

from __future__ import annotations

from formats.lazy_names import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.builds.answers import group_answers, trace_answers
    from assetdb.builds.build import Build, BuildFile, BuildObject, Reference
    from assetdb.builds.catalogs import Catalogs, read_catalogs
    from assetdb.builds.comparison import compare
    from assetdb.builds.duplicates import find_duplicates
    from assetdb.builds.opening import open_build
    from assetdb.builds.question import ask, ask_each
    from assetdb.builds.reasons import why
    from assetdb.builds.selection import lookup
    from assetdb.builds.sizes import Sizes, measure
    from assetdb.builds.summary import Summary, summarize
    from assetdb.builds.trace import Tracer
    from assetdb.builds.values import read_values
    from assetdb.builds.verification import Verification, verify

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
    "answers": ("group_answers", "trace_answers"),
    "build": ("Build", "BuildFile", "BuildObject", "Reference"),
    "catalogs": ("Catalogs", "read_catalogs"),
    "comparison": ("compare",),
    "duplicates": ("find_duplicates",),
    "opening": ("open_build",),
    "question": ("ask", "ask_each"),
    "reasons": ("why",),
    "selection": ("lookup",),
    "sizes": ("Sizes", "measure"),
    "summary": ("Summary", "summarize"),
    "values": ("read_values",),
    "trace": ("Tracer",),
    "verification": ("Verification", "verify"),
}

__getattr__, __dir__ = lazy_names(__name__, globals(), _HOMES, __all__)
