"""All places in a project that contain a GUID.

Read from the files, not from the graph, which only has references. Changing or dropping a GUID also needs source code
that contains its digits, folders that Unity ignores, and unreadable files.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.mending.guids.rewriting import Sites, find_sites, is_text
from assetdb.settings.project import asset_file, asset_roots
from assetdb.system.failures import excuse
from assetdb.system.reading import read_file
from assetdb.unity.kinds import OTHER, extension_of, is_lfs_pointer, kind_of
from assetdb.unity.referring.references import binary_references, digit_runs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_LARGEST: Final = 512 << 20
_SETTINGS: Final = "ProjectSettings"
_NEVER: Final = frozenset((".git", ".hg", ".svn"))
_MEDIA: Final = frozenset((28, 83, 128, 329))  # images, sounds, fonts and videos name no assets
_MANY: Final = 32


class GuidHolders(NamedTuple):
    """The files that have some GUIDs.

    Attributes:
        sites: by GUID and path, of text files.
        binary: by GUID the binary files that hold it.
        unread: unreadable files that may contain any: paths with the reason.
    """

    sites: dict[str, dict[str, Sites]]
    binary: dict[str, list[str]]
    unread: dict[str, str]

    def owners(self, guid: str) -> list[str]:
        """Return the metas that give their asset a GUID."""
        return sorted(path for path, sites in self.sites[guid].items() if sites.definitions)

    def referrers(self, guid: str) -> list[str]:
        """Return the files that refer to a GUID."""
        return sorted(path for path, sites in self.sites[guid].items() if sites.references)

    def doubtful(self, guid: str) -> list[str]:
        """Return files in which a GUID is, or may be, not rewritable."""
        others = [path for path, sites in self.sites[guid].items() if sites.others]
        return sorted({*others, *self.binary[guid], *self.unread})


def find_guids(root: str, guids: Collection[str], *, many: int = _MANY, largest: int = _LARGEST) -> GuidHolders:
    """Search GUIDs in all files of a project, settings included.

    Args:
        root: the project, absolute.
        guids: 32 lower-case hex digits each.
        many: number of GUIDs above which all runs of digits are looked up, instead of searching for each GUID.
        largest: bytes of a file that is read.

    Raises:
        ScanError: a file cannot be read just now.
    """
    found = GuidHolders({guid: {} for guid in guids}, {guid: [] for guid in guids}, {})
    if not guids:
        return found
    for path, size in _files(root):
        extension = extension_of(path)
        kind = kind_of(extension)
        if kind.class_id in _MEDIA:
            continue
        may_refer = extension == "meta" or kind.content != OTHER
        data = read_file(asset_file(root, path)) if size <= largest else None
        if data is None:
            if may_refer:
                found.unread[path] = "too-large" if size > largest else "unreadable"
        elif is_lfs_pointer(data[:200]):
            if may_refer:
                found.unread[path] = "lfs-pointer"
        elif is_text(data):
            for guid, sites in find_sites(data, extension, _present(data, guids, many)).items():
                found.sites[guid][path] = sites
        else:
            for guid in _in_binary(data, guids):
                found.binary[guid].append(path)
    return found


def _files(root: str) -> Iterator[tuple[str, int]]:
    """Yield path and size of every file, without links and version control."""
    for top in (*asset_roots(root), _SETTINGS):
        place = asset_file(root, top).rstrip(os.sep)  # a package's ends with a separator
        for folder, folders, names in os.walk(place, onerror=_refuse):
            folders[:] = sorted(name for name in folders if name.lower() not in _NEVER)
            inside = folder[len(place) :].replace(os.sep, "/")
            if not inside and place == root:  # a repository that is a package: its hidden files are not assets
                folders[:] = [name for name in folders if not name.startswith(".") and name != "Library"]
            for name in sorted(names):
                try:
                    status = os.stat(os.path.join(folder, name), follow_symlinks=False)
                except FileNotFoundError:
                    continue
                if stat.S_ISREG(status.st_mode):
                    yield f"{top}{inside}/{name}", status.st_size


def _refuse(error: OSError) -> None:
    """Refuse a folder that cannot be listed now, unless it is absent."""
    excuse(os.fsdecode(error.filename or ""), error)


def _present(data: bytes, guids: Collection[str], many: int) -> list[str]:
    """Return the GUIDs that a file may hold, by their digits."""
    lower = data.lower()
    if len(guids) <= many:
        return [guid for guid in guids if guid.encode() in lower]
    return sorted({run for run in map(bytes.decode, digit_runs(lower)) if run in guids})


def _in_binary(data: bytes, guids: Collection[str]) -> list[str]:
    """Return a binary file's GUIDs, in Unity's form or as text."""
    external = binary_references(data).certain
    lower = data.lower()
    return [
        guid
        for guid in guids
        if guid.encode() in external or guid.encode() in lower or guid.encode("utf-16-le") in lower
    ]
