"""Bytes of a build by source asset, and all other bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.builds.parts.naming import OWN_FILES, folded
from assetdb.builds.query.sizes import METADATA, OVERHEAD, PADDING, UNUSED, measure
from assetdb.builds.query.tables import SizeRow, SizeSums
from assetdb.builds.trace.reported import MADE
from assetdb.builds.trace.traced import BUILT_IN, TIED
from assetdb_formats.unityfs.serialized_files.player import MONO_SCRIPT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.builds.build import Build
    from assetdb.builds.trace.traced import Traced
    from assetdb.builds.trace.tracer import Tracer

ENGINE: Final = "(engine)"
SPLASH: Final = "(splash screen)"
SETTINGS: Final = "(settings)"
SCRIPTS: Final = "(scripts without a source)"
BUILD: Final = "(made by the build)"
SEVERAL: Final = "(one of several assets)"
UNKNOWN: Final = "(no source known)"
PACKAGE: Final = "(package {})"
_ASSETS: Final = "Assets/"
_PACKAGES: Final = "Packages/"
_MANAGERS: Final = frozenset(("globalgamemanagers", "maindata"))
_LOGOS: Final = ("UnitySplash-cube", "Splash Screen Unity Logo")  # Unity's logos; a project's own are its assets
_TABLES: Final = frozenset((METADATA, PADDING, UNUSED, OVERHEAD))


def asset_sizes(tracer: Tracer) -> list[SizeRow]:
    """Return rows that add up to the build: assets, and the rest.

    The assets of a package are one row; a row in brackets is no asset.
    """
    return _summed(tracer.build, asset_names(tracer))


def content_sizes(build: Build) -> list[SizeRow]:
    """Return the rows of :func:`asset_sizes` by content layouts alone."""
    return _summed(build, [_laid_out(build, number) for number in range(len(build))])


def _summed(build: Build, names: Sequence[str]) -> list[SizeRow]:
    sizes = measure(build)
    sums = SizeSums()
    for number, name in enumerate(names):
        sums.add(name, 1, sizes.in_file[number], sizes.streamed[number], sizes.disk[number])
    for rest in sizes.rest:
        sums.add(METADATA if rest.what in _TABLES else rest.what, 0, rest.decoded, 0, rest.disk)
    return sums.table()


def asset_names(tracer: Tracer) -> list[str]:
    """Return the path of each object's asset, or words in brackets."""
    names = [UNKNOWN] * len(tracer.build)
    for row in tracer.all():
        names[row.number] = _name(row, tracer)
    return names


def _laid_out(build: Build, number: int) -> str:
    """Return the row of an object by its content layout."""
    file = build.files[build.file_of(number)].facts.name
    loadable = build.content_names.loadable(file, build.path_ids[number])
    names = {_source(path) for path in ((loadable.path,) if loadable else build.content_names.sources(file))}
    if len(names) > 1:
        return SEVERAL
    return names.pop() if names else UNKNOWN


def _name(row: Traced, tracer: Tracer) -> str:
    build = tracer.build
    if build.name(row.number).startswith(_LOGOS):
        return SPLASH
    if row.certainty == BUILT_IN:
        return ENGINE
    if row.certainty in TIED:
        return _source(row.sources[0].path)
    file = folded(build.files[build.file_of(row.number)].facts.name)
    if file in OWN_FILES:
        return ENGINE
    if row.by == MADE:
        return BUILD
    if file in _MANAGERS:
        return SETTINGS
    names = {_source(source.path) for source in row.sources}
    if names:
        return names.pop() if len(names) == 1 else SEVERAL
    return SCRIPTS if build.class_ids[row.number] == MONO_SCRIPT else UNKNOWN


def _source(path: str) -> str:
    """Return the row that a source counts in."""
    if path.startswith(_PACKAGES):
        return PACKAGE.format(path.split("/")[1])
    return path if path.startswith(_ASSETS) else ENGINE
