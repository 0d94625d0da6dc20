"""The bundles that a command line names, in folders and archives."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.cli.bundle.each import say_unreadable
from assetdb.cli.terminal import Progress, fail
from assetdb_formats.binary import FormatError
from assetdb_formats.casset.encoding.read import is_casset
from assetdb_formats.inputs import find_inputs
from assetdb_formats.unityfs.archives.archive import is_archive
from assetdb_formats.unityfs.serialized_files.serialized import is_serialized_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assetdb_formats.inputs import Input

CASSET: Final = "casset"
UNITYFS: Final = "unityfs"
HERE: Final = (".",)
_HEAD: Final = 48  # bytes, enough to tell the kinds apart
_SHOWN: Final = 3


class BundleFile(NamedTuple):
    """A bundle: the file, and the kind that its first bytes say."""

    input: Input
    kind: str


class FoundBundles(NamedTuple):
    """The bundles at some paths; ``code`` is 2 if one is unreadable."""

    files: list[BundleFile]
    code: int


class Match(NamedTuple):
    """An object that a word means, and the kind of match."""

    rank: int
    id: str
    class_name: str


class Matches(NamedTuple):
    """The objects that a word means, or all names if none."""

    matches: tuple[Match, ...]
    names: frozenset[str]


def find_bundles(paths: Iterable[str]) -> FoundBundles:
    """Find the bundles at paths; print the paths without any."""
    files: list[BundleFile] = []
    code = 0
    for path in dict.fromkeys(paths):
        try:
            inputs = list(find_inputs(path, lambda _: True))
        except (FormatError, OSError) as error:
            code = say_unreadable(path, error)
            continue
        found = []
        unread = 0
        progress = Progress("files")
        for number, candidate in enumerate(inputs):
            progress(number, len(inputs))
            try:
                kind = kind_of(candidate)
            except (FormatError, OSError) as error:  # unreadable: its kind is not known
                progress.close()
                unread = say_unreadable(candidate.name, error)
                continue
            if kind is not None:
                found.append(BundleFile(candidate, kind))
        progress.close()
        if not found and not unread:
            is_file = len(inputs) == 1 and inputs[0].name == path
            what = "neither a .casset bundle nor one of Unity's" if is_file else "holds no bundle"
            unread = fail(f"{path}: {what}")
        code = max(code, unread)
        files += found
    # A file may be named, and lie in a folder that is named.
    once: dict[str, BundleFile] = {}
    for file in files:
        once.setdefault(os.path.abspath(file.input.path or file.input.name), file)
    return FoundBundles([*once.values()], code)


def kind_of(file: Input) -> str | None:
    """Return the kind of a bundle, or None; raises FormatError, OSError."""
    head = file.head(_HEAD)
    if is_casset(head):
        return CASSET
    return UNITYFS if is_archive(head) or is_serialized_file(head, file.size) else None


def shown_files(files: Sequence[BundleFile]) -> str:
    """Return the names of a few files, or the number of many."""
    if len(files) <= _SHOWN:
        return ", ".join(file.input.name for file in files)
    return f"{len(files):,} bundles"
