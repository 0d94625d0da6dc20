"""Lookup of one object in bundles, and messages where it fails."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.cli.bundle.each import say_unreadable
from assetdb.cli.bundle.inputs import BundleFile, FoundBundles, find_bundles, shown_files
from assetdb.cli.bundle.kinds import questions_to
from assetdb.cli.terminal import Progress, fail, not_found, with_place
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.cli.bundle.inputs import Match
    from assetdb_formats.inputs import Input

_SHOWN: Final = 8
_MOST_NAMES: Final = 20_000  # compared with an unknown word, which takes 0.2 seconds


class Target(NamedTuple):
    """A bundle, or an object of it."""

    file: BundleFile
    object: str = ""

    @property
    def input(self) -> Input:
        """The file itself."""
        return self.file.input


class Targets(NamedTuple):
    """The bundles and objects that words mean; ``code`` is the exit code."""

    targets: list[Target]
    code: int


def find_targets(words: Sequence[str], inside: Sequence[str] | None, *, only_objects: bool = False) -> Targets:
    """Return the bundles and objects that words mean.

    The path of a file or folder means all bundles there, and FILE#OBJECT means one object. Any other word means an
    object in ``inside``; with ``only_objects`` the path of a file does, too.
    """
    targets: list[Target] = []
    code = 0
    searched: FoundBundles | None = None
    for word in dict.fromkeys(words):
        file, hash_sign, name = word.rpartition("#")
        if not only_objects and os.path.lexists(word):
            found = find_bundles([word])
            located = Targets([Target(bundle) for bundle in found.files], 0)
        elif hash_sign and name and os.path.lexists(file):
            found = find_bundles([file])
            located = _locate(name, found.files)
        elif inside is None:
            code = fail(f"{word}: no such file or folder; to look for an object, use --in FILE")
            continue
        else:
            searched = found = searched or find_bundles(inside)
            located = _locate(word, found.files)
        targets += located.targets
        code = max(code, found.code, located.code)
    return Targets(targets, code)


def _locate(word: str, files: Sequence[BundleFile]) -> Targets:
    """Find the one object of some bundles that a word means."""
    found: list[tuple[Match, BundleFile]] = []
    names: set[str] = set()
    code = 0
    progress = Progress("bundles")
    for number, file in enumerate(files):
        progress(number, len(files))
        try:
            matches = questions_to(file.kind).matches(file.input, word)
        except (FormatError, OSError) as error:
            progress.close()
            code = say_unreadable(file.input.name, error)
            continue
        found += [(match, file) for match in matches.matches]
        if len(names) < _MOST_NAMES:
            names |= matches.names
    progress.close()
    best = min((match.rank for match, _ in found), default=0)
    found = [(match, file) for match, file in found if match.rank == best]
    if len(found) == 1:
        match, file = found[0]
        return Targets([Target(file, match.id)], code)
    if found:
        in_several = len({file for _, file in found}) > 1
        shown = ", ".join(
            f"{f'{file.input.name}#' if in_several else ''}{match.id} ({match.class_name})"
            for match, file in found[:_SHOWN]
        )
        more = ", …" if len(found) > _SHOWN else ""
        not_found(f"{word!r} is ambiguous ({len(found):,} matches): {shown}{more}")
        return Targets([], max(code, 1))
    if files:
        missed = f"no object named {word!r} in {shown_files(files)}"
        message = with_place(missed, word)
        not_found(message, word, sorted(names)[:_MOST_NAMES] if message == missed else ())
    return Targets([], max(code, 1))
