"""Files of a project in git, and in Git LFS."""

from __future__ import annotations

import os
import re
import tempfile
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import HistoryError
from assetdb.history.configuration.attributes import states
from assetdb.history.git.entries import FILE, files_of_index
from assetdb.history.git.objects import read_blobs, sizes_of
from assetdb.history.git.repository import Repository
from assetdb.history.lfs import LARGEST_POINTER
from assetdb.settings.project import META, asset_prefix
from assetdb.unity.kinds import LFS_POINTER, LFS_POINTER_SIZES, is_lfs_pointer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

_RULES: Final = b".gitattributes"
_LFS: Final = "lfs"
_IN_LFS: Final = ":(attr:filter=lfs)"
_MOST_NAMED: Final = 100  # paths in one command line; Windows takes 32,767 characters of it
# Files of unusual sizes, by their first line and their size: to read all 126,000 of unitystation takes 0.15 s.
_UNUSUAL: Final = re.compile(
    rb"\0  ctime:[^\n]*+\n  mtime:[^\n]*+\n  dev:[^\n]*+\n  uid:[^\n]*+\n  size: (%b|\d{9,})\t"
    % b"|".join(b"%d" % size for size in LFS_POINTER_SIZES)
)
_FLAGS: Final = b"\tflags: "  # in the last line of an entry
LARGEST: Final = 100_000_000
"""Bytes of a file above which GitHub refuses a push; it says 100 MB."""


class Storage(NamedTuple):
    """The files that git stores unusually, by paths in the database.

    Attributes:
        plain: files that ``.gitattributes`` gives to Git LFS, of which git itself has the content, and its size; none
            of 120 to 159 bytes, which nearly always are pointers.
        large: files over :data:`LARGEST` that ``.gitattributes`` does not give to Git LFS, and their sizes.
        small: files that it does not give to Git LFS, with the size of a pointer.
    """

    plain: dict[str, int]
    large: dict[str, int]
    small: tuple[str, ...]


NOTHING: Final = Storage({}, {}, ())


def find_storage(root: str) -> Storage:
    """Return how git stores a project's files, nothing without a repository."""
    try:
        repository = Repository(root)
        rules = files_of_index(repository.output("ls-files", "-s", "-z", "--", _IN_LFS))
        in_lfs = {path: entry.oid for path, entry in rules.items() if entry.kind == FILE}
        found = dict(zip(in_lfs, sizes_of(repository, list(in_lfs.values())), strict=True))
        plain = {path: size for path, size in found.items() if size is not None and size > LARGEST_POINTER}
        plain |= _small_contents(repository, in_lfs, found)
        others = [row for row in _sizes(repository) if row[0] not in rules]
    except HistoryError:
        return NOTHING
    prefix = asset_prefix(root)
    return Storage(
        {prefix + os.fsdecode(path): size for path, size in plain.items()},
        {prefix + os.fsdecode(path): size for path, size in others if size > LARGEST},
        tuple(
            prefix + os.fsdecode(path)
            for path, size in others
            if size in LFS_POINTER_SIZES and not path.endswith(META.encode())
        ),
    )


def find_uncovered(root: str, touched: Collection[bytes]) -> list[str]:
    """Return pointers of the index that no rule gives to Git LFS.

    ``git mv`` out of the folder of a rule keeps the pointer in git, and the content on the disk, where nobody sees it.

    Args:
        root: of the project.
        touched: paths of a change: they alone are looked at, and if the rules are among them, all files that had one.
    """
    is_of_rules = any(os.path.basename(path) == _RULES for path in touched)
    named = [] if is_of_rules or len(touched) > _MOST_NAMED else [f":(literal){os.fsdecode(path)}" for path in touched]
    try:
        repository = Repository(root)
        index = files_of_index(repository.output("ls-files", "-s", "-z", "--", *named))
        oids = {
            path: entry.oid for path, entry in index.items() if entry.kind == FILE and (is_of_rules or path in touched)
        }
        sizes = zip(oids, sizes_of(repository, list(oids.values())), strict=True)
        small = [path for path, size in sizes if size in LFS_POINTER_SIZES]
        blobs = zip(small, read_blobs(repository, [oids[path] for path in small]), strict=True)
        found = [path for path, blob in blobs if blob is not None and is_lfs_pointer(b"".join(blob.pieces()))]
        rules = files_of_index(repository.output("ls-files", "-s", "-z", "--", _IN_LFS)) if found else {}
        bare = [path for path in found if path not in rules]
        untouched = [path for path in bare if path not in touched]
        uncovered = _in_lfs_at_head(repository, untouched) if untouched else frozenset()
    except HistoryError:
        return []
    return [asset_prefix(root) + os.fsdecode(path) for path in bare if path in touched or path in uncovered]


def _in_lfs_at_head(repository: Repository, paths: list[bytes]) -> frozenset[bytes]:
    """Return the paths that the last commit's rules give to LFS."""
    with tempfile.TemporaryDirectory(prefix="assetdb-") as folder:
        index = os.path.join(folder, "index")  # `check-attr --source` came with git 2.40
        repository.output("read-tree", "HEAD", more={"GIT_INDEX_FILE": index})
        found = states(repository, map(os.fsdecode, paths), "filter", index)
    return frozenset(path for path, state in zip(paths, found, strict=True) if state == _LFS)


def _small_contents(
    repository: Repository, in_lfs: Mapping[bytes, str], sizes: Mapping[bytes, int | None]
) -> dict[bytes, int]:
    """Return contents as small as a pointer; only unusual sizes are read."""
    unusual = {
        path: size
        for path, size in sizes.items()
        if size and size <= LARGEST_POINTER and size not in LFS_POINTER_SIZES  # Git LFS leaves empty files as they are
    }
    found = {}
    for (path, size), blob in zip(
        unusual.items(), read_blobs(repository, [in_lfs[path] for path in unusual]), strict=True
    ):
        if blob is not None and not b"".join(blob.pieces()).startswith(LFS_POINTER):
            found[path] = size
    return found


def _sizes(repository: Repository) -> Iterator[tuple[bytes, int]]:
    """Yield large files of the index, and files of a pointer's size."""
    printed = repository.output("ls-files", "--debug", "-z")
    for found in _UNUSUAL.finditer(printed):
        before = printed.rfind(b"\0", 0, found.start())  # behind the path of the entry before
        start = printed.find(b"\n", printed.find(_FLAGS, before)) + 1 if before >= 0 else 0
        yield printed[start : found.start()], int(found[1])
