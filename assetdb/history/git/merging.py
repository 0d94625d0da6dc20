"""Merges of two revisions, made outside the repository."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import HistoryError
from assetdb.history.configuration.merge_driver import KEY, this_driver
from assetdb.history.git.entries import FILE
from assetdb.history.git.objects import fetch_absent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.history.git.repository import Repository, Revision

_TEXT_MERGE: Final = "ASSETDB_GIT_TEXT_MERGE"
_MERGE_BY_OBJECT: Final = "ASSETDB_GIT_MERGE_BY_OBJECT"
_CONFLICTS: Final = 1  # git's exit code for conflicts
_TIMEOUT: Final = 600.0
_NEEDED: Final = " (git 2.38 or later is needed)"


class Merge(NamedTuple):
    """A merge of two revisions.

    Attributes:
        repository: that has it.
        result: its tree.
        conflicted: files that git could not merge, relative to the project.
    """

    repository: Repository
    result: Revision
    conflicted: tuple[bytes, ...]


@contextmanager
def merged(repository: Repository, ours: Revision, theirs: Revision) -> Iterator[Merge]:
    """Yield a merge of two revisions.

    Nothing is written into the repository: new objects are in a temporary folder. Files that both sides changed are
    merged by object where ``git-setup --merge`` configured that, else by lines, with conflict markers around what is
    open. Other configured drivers are not run.

    Raises:
        HistoryError: git fails, is older than 2.38, or lacks objects.
    """
    with tempfile.TemporaryDirectory(prefix="assetdb-", ignore_cleanup_errors=True) as place:
        surroundings = {**repository.writing_into(place), _TEXT_MERGE: "git merge-file %A %O %B"}
        # Raises an error with advice if the sides have no common commit.
        base = repository.merge_base(ours.commit, theirs.commit, f"{ours.commit}...{theirs.commit}")
        drivers = _drivers(repository)
        surroundings[_MERGE_BY_OBJECT] = by_object = this_driver(drivers.get(KEY, ""))
        _fetch_sides(repository, base, ours, theirs)
        try:
            output = repository.output(
                *(
                    f"--config-env={name}={_MERGE_BY_OBJECT if name == KEY and by_object else _TEXT_MERGE}"
                    for name in drivers
                ),
                "merge-tree",
                "--write-tree",
                "--no-messages",
                "--name-only",
                "-z",
                ours.commit,
                theirs.commit,
                accept=(0, _CONFLICTS),
                timeout=_TIMEOUT,
                more=surroundings,
            )
        except HistoryError as error:
            is_partial = repository.promisors and not repository.fetches
            advice = " (this clone lacks files of them: --fetch lets git fetch these)" if is_partial else ""
            advice = _NEEDED if "usage:" in str(error) else advice
            raise HistoryError(f"git cannot merge the two sides{advice}: {error}") from error
        tree, *names = output.split(b"\0")
        conflicted = [name for name in names if name and not name.startswith(b"../")]
        inner = repository.surrounded(surroundings)
        yield Merge(inner, inner.located(tree.decode("ascii", "replace").strip()), tuple(conflicted))


def _drivers(repository: Repository) -> dict[str, str]:
    """Return the commands of all configured merge drivers, by setting."""
    found = repository.output("config", "-z", "--get-regexp", r"^merge\..*\.driver$", accept=(0, 1))
    rows = [row.partition("\n") for row in os.fsdecode(found).split("\0") if row]
    return {name: line for name, _, line in sorted(rows)}


def _fetch_sides(repository: Repository, base: str, ours: Revision, theirs: Revision) -> None:
    """Fetch missing blobs of a merge, which git fetches one by one."""
    if not (repository.promisors and repository.fetches):
        return
    before = repository.located(base)
    pairs = ((before, ours), (ours, before), (before, theirs), (theirs, before))
    entries = [entry for one, other in pairs for entry in repository.differences(one, other).values()]
    oids = dict.fromkeys(entry.oid for entry in entries if entry is not None and entry.kind == FILE)
    fetch_absent(repository, list(oids))
