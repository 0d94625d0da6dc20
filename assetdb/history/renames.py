"""Renames of files on disk that are not staged in git."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final

from assetdb.errors import FileError
from assetdb.history.git.objects import read_all_blobs
from assetdb.history.moved_files import blob_name
from assetdb.settings.project import META
from assetdb.system.reading import open_regular
from assetdb.unity.kinds import extension_of, is_lfs_pointer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from assetdb.history.git.repository import Repository

    Renames = dict[str, tuple[str, int]]
    """Old path and likeness in percent, by new path."""

_LARGEST: Final = 1 << 26  # bytes of a file that git reads for this
_LARGEST_META: Final = 1 << 20
_LONGEST_POINTER: Final = 200
_MOST_FILES: Final = 2000  # of a folder that are looked at
_MOST_COMPARED: Final = 2000  # files whose similarity git compares; identical ones are found among any number
_LEAST: Final = 50  # percent
_SAME: Final = 100
_RAW_WORDS: Final = 5  # of a raw difference, before its paths


def find_renames(repository: Repository, missing: Mapping[str, str], new: Sequence[str]) -> Renames:
    """Return renames of git's files; likeness 0: only the name is equal.

    Args:
        repository: of the project.
        missing: object names of missing files, by path.
        new: paths of regular files on the disk.

    Raises:
        HistoryError: git fails, or lacks objects.
    """
    if not missing or not new:
        return {}
    found = _by_git(repository, missing, new)
    taken = {old for old, _ in found.values()}
    left = {path: oid for path, oid in missing.items() if path not in taken}
    found.update(_by_pointer(repository, left, [path for path in new if path not in found]))
    taken = {old for old, _ in found.values()}
    by_name: dict[str, list[str]] = {}
    for path in missing:
        if path not in taken:
            by_name.setdefault(os.path.basename(path), []).append(path)
    for path in new:
        alike = by_name.get(os.path.basename(path), [])
        if path not in found and len(alike) == 1:
            found[path] = alike[0], 0
    return found


def _by_git(repository: Repository, missing: Mapping[str, str], new: Sequence[str]) -> Renames:
    """Let git compare two trees of the files, outside the repository.

    Raises:
        HistoryError: it cannot.
    """
    small = [path for path in new if os.path.getsize(os.path.join(repository.root, path)) <= _LARGEST]
    with tempfile.TemporaryDirectory(prefix="assetdb-", ignore_cleanup_errors=True) as place:
        objects = os.path.join(place, "objects")
        os.mkdir(objects)
        more = {**repository.writing_into(objects), "GIT_INDEX_FILE": os.path.join(place, "old")}
        rows = [f"100644 {oid} 0\t{repository.prefix}{path}" for path, oid in missing.items()]
        repository.output("update-index", "-z", "--index-info", given=_joined(rows), more=more)
        tree = repository.output("write-tree", "--missing-ok", more=more).decode("ascii").strip()
        more["GIT_INDEX_FILE"] = os.path.join(place, "new")
        quick = ("-c", "core.safecrlf=false", "-c", "core.compression=0")
        repository.output(*quick, "update-index", "--add", "-z", "--stdin", given=_joined(small), more=more)
        raw = repository.output(
            "diff-index",
            "--cached",
            "--raw",
            "-z",
            f"-M{_LEAST}%",
            f"-l{_MOST_COMPARED}",
            "--diff-filter=RA",
            "--relative",
            "--no-ext-diff",
            tree,
            more=more,
        )
    return _nearest(raw)


def _nearest(raw: bytes) -> Renames:
    """Return renames in raw differences, to the nearest of equal files."""
    fields = iter(raw.split(b"\0"))
    renames: list[tuple[str, str, int, bytes]] = []
    added: dict[bytes, list[str]] = {}
    for head in fields:
        words = head.split(b" ")
        if len(words) != _RAW_WORDS:
            continue
        old = os.fsdecode(next(fields, b"")) if words[4].startswith(b"R") else ""
        path = os.fsdecode(next(fields, b""))
        if old:
            renames.append((old, path, int(words[4][1:] or _SAME), words[3]))
        else:
            added.setdefault(words[3], []).append(path)
    found = {}
    for old, path, likeness, oid in renames:
        alike = [path, *added.get(oid, [])]
        best = max(alike, key=partial(_nearness, old))
        if best != path:
            added[oid].remove(best)
            added[oid].append(path)
        found[best] = old, likeness
    return found


def _nearness(old: str, new: str) -> tuple[bool, bool]:
    """Return whether two paths share a folder, and a name."""
    return os.path.dirname(old) == os.path.dirname(new), os.path.basename(old) == os.path.basename(new)


def _joined(rows: Sequence[str]) -> bytes:
    return b"".join(os.fsencode(row) + b"\0" for row in rows)


def _by_pointer(repository: Repository, missing: Mapping[str, str], new: Sequence[str]) -> Renames:
    """Return renames of Git LFS files, of which git has pointers."""
    endings = {extension_of(path) for path in new}
    known = {path: oid for path, oid in missing.items() if extension_of(path) in endings}
    if not known:
        return {}
    by_content: dict[str, str] = {}
    names = "".join(f"{oid}\n" for oid in known.values()).encode("ascii")
    lines = repository.output("cat-file", "--batch-check", given=names).splitlines()
    small = [
        (path, oid)
        for (path, oid), line in zip(known.items(), lines, strict=False)
        if (size := line.split(b" ")[-1]).isdigit() and int(size) <= _LONGEST_POINTER
    ]
    for (path, _), blob in zip(small, read_all_blobs(repository, [oid for _, oid in small]), strict=True):
        pointer = b"".join(blob.pieces())
        if is_lfs_pointer(pointer):
            by_content[pointer.partition(b"oid sha256:")[2][:64].decode("ascii", "replace")] = path
    found = {}
    for path in new if by_content else ():
        try:
            with open(open_regular(os.path.join(repository.root, path)), "rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
        except (OSError, FileError):
            continue
        if content in by_content:
            found[path] = by_content.pop(content), _SAME
    return found


def folder_renames(root: str, missing: Sequence[str], metas: Mapping[str, str], moved: Renames) -> Renames:
    """Return the renames of files and of the folders around them.

    Args:
        root: the project.
        missing: paths that have no meta.
        metas: paths of missing metas, by object name.
        moved: the renames of files.
    """
    found = dict(moved)
    for path in missing:
        if path in moved or not os.path.isdir(os.path.join(root, path)):
            continue
        votes: Counter[str] = Counter()
        for below in _files_below(root, path):
            old = moved[below][0] if below in moved else _meta_before(root, below, metas)
            inside = below[len(path) :]
            if old.endswith(inside) and old != inside:
                votes[old[: -len(inside)]] += 1
        for old, _ in votes.most_common(1):
            if not os.path.lexists(os.path.join(root, old)):
                found[path] = old, _SAME
    return found


def _meta_before(root: str, path: str, metas: Mapping[str, str]) -> str:
    """Return git's path of a meta with these bytes, or ``""``."""
    if not path.endswith(META):
        return ""
    try:
        with open(open_regular(os.path.join(root, path)), "rb") as file:
            data = file.read(_LARGEST_META)
    except (OSError, FileError):
        return ""
    return metas.get(blob_name(data)) or metas.get(blob_name(data.replace(b"\r\n", b"\n")), "")


def _files_below(root: str, path: str) -> Iterator[str]:
    """Yield some of the files below a folder, those in it first."""
    count = 0
    place = os.path.join(root, path)
    for folder, _, names in os.walk(place):
        inside = folder[len(place) :].replace(os.sep, "/")
        for name in names:
            count += 1
            if count > _MOST_FILES:
                return
            yield f"{path}{inside}/{name}"
