"""The history of a project's builds, and the layouts in it.

``Library/BuildHistory`` (Unity 6.6 on) has a folder for each build, whose name begins with its time:
``20260504-153912Z-2dd7642e``. The folder of a content directory's build has a ``ContentLayout.json`` with the hash of
the directory's manifest.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

from assetdb.builds.parts.content import read_contents
from assetdb.builds.parts.facts import CONTENT_LAYOUT, CONTENT_MANIFEST
from assetdb.builds.parts.finding import Part
from assetdb_formats.binary import FormatError
from assetdb_formats.files import open_file
from assetdb_formats.inputs import file_input

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assetdb.builds.parts.content import PartContent

MOST_LAYOUTS: Final = 1000
"""Number of builds of a history whose layouts are looked at, the newest first."""
_HISTORY: Final = ("Library", "BuildHistory")
_LAYOUT: Final = "ContentLayout.json"
_HASH_FILE: Final = "buildmanifesthash.txt"
_HASH: Final = re.compile("[0-9a-f]{32}")
_LONGEST_HASH: Final = 64
_MANIFEST: Final = re.compile(rb'"BuildManifestHash"\s*:\s*"([0-9a-fA-F]{32})"')
_HEAD: Final = 4096  # it is the second field, in the first 100 bytes


def builds_of(root: str) -> list[str]:
    """Return the folders of a project's builds, the newest first."""
    history = os.path.join(root, *_HISTORY)
    try:
        names = sorted((name for name in os.listdir(history) if name[:1].isdigit()), reverse=True)
    except OSError:  # absent, no folder, or another user's
        return []
    return [os.path.join(history, name) for name in names]


def newest_build(root: str) -> list[str]:
    """Return a project's history, its newest build and the layout there.

    Their times change with each build, and with a layout that is still written.
    """
    places = [place for build in builds_of(root)[:1] for place in (os.path.dirname(build), build)]
    layouts = [os.path.join(place, _LAYOUT) for place in places[1:]]
    return [*places, *filter(os.path.lexists, layouts)]


def layouts_kept(
    parts: Sequence[Part], contents: Sequence[PartContent], roots: Iterable[str]
) -> tuple[list[PartContent], list[str]]:
    """Return layouts of content directories in histories, and problems.

    Of several builds of equal content, which have equal layouts, it is the newest.

    Args:
        parts: of a build.
        contents: its layouts and manifests; a manifest whose layout is among them has it already.
        roots: of projects.
    """
    found = []
    once = dict.fromkeys(roots)
    for manifest in _manifests(parts, contents):
        name, path = next(((name, path) for root in once for name, path in _layouts(root, manifest)), ("", ""))
        if path:
            found.append(Part(name, file_input(path), CONTENT_LAYOUT, 0, ""))
    return read_contents(found)


def _manifests(parts: Sequence[Part], contents: Sequence[PartContent]) -> dict[str, None]:
    """Return the hashes of manifests without a layout.

    A directory has its manifest's hash in ``BuildManifestHash.txt``, also where the manifest is in an archive.
    """
    found: dict[str, None] = {}
    for part in parts:
        name = part.name.rpartition("/")[2].casefold()
        if name == _HASH_FILE:
            try:
                text = part.input.head(_LONGEST_HASH).decode("ascii", "replace").strip().casefold()
            except (FormatError, OSError):  # the manifest itself may be there
                continue
            if _HASH.fullmatch(text):
                found[text] = None
        elif part.kind == CONTENT_MANIFEST:
            found[name.removesuffix(".json")] = None
    for content in contents:
        found.pop(content.layout.manifest_hash.casefold(), None)
    return found


def _layouts(root: str, manifest: str) -> Iterable[tuple[str, str]]:
    """Yield relative and whole paths of the layouts of a manifest."""
    for build in builds_of(root)[:MOST_LAYOUTS]:
        path = os.path.join(build, _LAYOUT)
        if _manifest_of(path) == manifest:
            yield os.path.relpath(path, root).replace(os.sep, "/"), path


def _manifest_of(path: str) -> str:
    """Return the hash of a layout's manifest, or ``""``."""
    try:
        with open_file(path) as stream:
            found = _MANIFEST.search(stream.read(_HEAD))
    except OSError:  # a build of another kind has none
        return ""
    return found[1].decode().casefold() if found is not None else ""
