"""Layouts and manifests of content directories, joined with their files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.parts.facts import CONTENT_LAYOUT, CONTENT_MANIFEST
from assetdb.builds.parts.finding import reason
from assetdb.builds.parts.naming import BY_HASH, folded
from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.content_layout import read_content_layout, read_content_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.builds.parts.finding import Part
    from assetdb_formats.unityfs.content_layout import ContentLayout, Loadable

LARGEST: Final = 256 << 20
"""Bytes of a layout that is read."""
_FILE: Final = ".cf"


class PartContent(NamedTuple):
    """A layout or manifest, and the part that it is.

    The part of a layout that was found in the history of builds is none of the build.
    """

    part: Part
    layout: ContentLayout


def read_contents(parts: Sequence[Part]) -> tuple[list[PartContent], list[str]]:
    """Return the layouts and manifests of a build, and problems."""
    found, problems = [], []
    for part in parts:
        if part.kind not in (CONTENT_LAYOUT, CONTENT_MANIFEST):
            continue
        read = read_content_layout if part.kind == CONTENT_LAYOUT else read_content_manifest
        try:
            found.append(PartContent(part, read(part.input.read(largest=LARGEST))))
        except (FormatError, OSError) as error:
            problems.append(reason(part.name, error))
    return found, problems


class ContentNames:
    """The files that files of content directories mean by their externals."""

    def __init__(self, contents: Sequence[PartContent]) -> None:
        """Take layouts and manifests.

        A manifest speaks of the files in its own folder first.
        """
        self._needs: dict[tuple[str, str], tuple[str, ...]] = {}
        self._scenes: dict[str, str] = {}
        self._sources: dict[str, tuple[str, ...]] = {}
        self._loadables: dict[tuple[str, int], Loadable] = {}
        self._guids: dict[str, str] = {}
        for content in contents:
            folder = content.part.name.rpartition("/")[0]
            for file in content.layout.files:
                for place in (folder, ""):
                    self._needs.setdefault((place, file.content_hash.casefold()), file.needs)
                sources = tuple(filter(None, file.sources))
                if sources and file.content_hash:
                    self._sources.setdefault(file.content_hash.casefold(), sources)
            for scene in content.layout.scenes:
                self._scenes.setdefault(scene.content_hash.casefold(), scene.path)
                self._guids.setdefault(scene.path, scene.guid)
            for item in content.layout.loadables:
                self._loadables.setdefault((item.content_hash.casefold(), item.path_id), item)
                self._guids.setdefault(item.path, item.guid)

    def needed(self, name: str, part: str) -> tuple[str, ...] | None:
        """Return hashes of the files that a file refers to, or None."""
        if not self._needs:
            return None
        content_hash = _hash_of(name)
        return self._needs.get((part.rpartition("/")[0], content_hash)) or self._needs.get(("", content_hash))

    def externals(self, name: str, part: str, externals: tuple[str, ...]) -> Iterator[str]:
        """Yield the names to look for instead of a file's externals.

        Unity goes by the place in the manifest: the names in the file (``0123...cdef.cfid``) are of no file.
        """
        needed = self.needed(name, part)
        if needed is None or len(needed) != len(externals):
            yield from externals
            return
        for path, content_hash in zip(externals, needed, strict=True):
            yield f"{BY_HASH}{content_hash}" if content_hash else path

    @property
    def has_sources(self) -> bool:
        """Whether a layout names the assets that files were made of."""
        return bool(self._sources)

    def sources(self, name: str) -> tuple[str, ...]:
        """Return the assets that a file was made of, by a layout."""
        return self._sources.get(_hash_of(name), ()) if self._sources else ()

    def loadable(self, name: str, path_id: int) -> Loadable | None:
        """Return the source of an object loaded by itself, or None."""
        return self._loadables.get((_hash_of(name), path_id))

    def guid(self, path: str) -> str:
        """Return the GUID that a layout has for a path, or ``""``."""
        return self._guids.get(path, "")

    def scene(self, name: str) -> str:
        """Return the path of the scene in a file, or ``""``."""
        return self._scenes.get(_hash_of(name), "") if self._scenes else ""


def _hash_of(name: str) -> str:
    return folded(name).removesuffix(_FILE)
