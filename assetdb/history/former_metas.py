"""Former metas in git: of a path, a rename source, a stash.

Nothing is written into the repository, and nothing is checked out. Paths are relative to the project, with ``/``.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import HistoryError
from assetdb.history.git.entries import FILE, files_of_tree
from assetdb.history.git.objects import read_all_blobs
from assetdb.history.git.repository import Repository
from assetdb.history.renames import find_renames, folder_renames
from assetdb.settings.project import META, folded, lone_metas

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assetdb.history.git.entries import Entry

_LARGEST: Final = 32 << 20  # bytes of a meta, as the scan has it
_STASHES: Final = 20
_MOST_NAMED: Final = 100  # files on one command line
_FOLLOWED: Final = 20  # files whose history is walked one by one
_SECONDS: Final = 3.0  # for one walk through the history
_SAME: Final = 100
_HASHES: Final = (40, 64)
_METAS: Final = (f":(glob)**/*{META}",)


class Former(NamedTuple):
    """A meta that git has.

    Attributes:
        path: the file or folder whose meta it was.
        data: its bytes.
        where: ``the index``, ``HEAD``, ``stash@{0}`` or a commit.
        likeness: similarity of the file in percent; 100 for the same path.
    """

    path: str
    data: bytes
    where: str
    likeness: int = _SAME


class FormerMetas:
    """Metas in the index, HEAD, stashes and history of a repository."""

    def __init__(self, root: str) -> None:
        """Read the index and HEAD of the repository around ``root``.

        Raises:
            HistoryError: there is none, or git fails.
        """
        self._root = root
        self._repository = Repository(root)
        self._sides: tuple[tuple[str, dict[bytes, Entry]], ...] = (
            ("the index", self._repository.index()),
            ("HEAD", self._repository.tree(self._repository.head().tree)),
        )
        self._inner: dict[str, FormerMetas | None] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the project was ever added or committed."""
        return not any(side for _, side in self._sides)

    def at(self, path: str) -> list[Former]:
        """Return a path's metas in index and HEAD, one if equal.

        Raises:
            HistoryError: git fails, or lacks objects.
        """
        inner, own = self._within(path)
        if own != path:
            return [former._replace(path=path) for former in inner.at(own)] if inner is not None else []
        found = self._entries(path + META)
        if not found:
            other = self._in_another_case.get(folded(os.fsencode(path)), "")
            if other and not os.path.lexists(os.path.join(self._root, other)):  # else it is of another asset here
                found = self._entries(other)
        return self._read([(where, path, entry.oid, _SAME) for where, entry in found])

    def is_unchanged(self, path: str, blob: str) -> bool:
        """Whether the index or HEAD has a blob at a path."""
        return any(entry.oid == blob for _, entry in self._entries(path))

    def changed(self) -> list[Former]:
        """Return the metas of HEAD that the disk lacks or changed.

        Raises:
            HistoryError: git fails, or lacks objects.
        """
        rows = self._repository.revision_against_disk(self._repository.head(), only=_METAS)
        files = {os.fsdecode(name): entry for name, entry in rows.items() if entry is not None and entry.kind == FILE}
        return self._read([("HEAD", path.removesuffix(META), files[path].oid, _SAME) for path in sorted(files)])

    def of(self, paths: Sequence[str]) -> dict[str, list[Former]]:
        """Return candidate metas for each path, the most certain first.

        A file changed while it was moved is found by git's rename detection. The search of the history is limited in
        time.

        Raises:
            HistoryError: git fails, or lacks objects.
        """
        own, inner = [], dict[str, list[str]]()
        for path in paths:
            folder = self._nested(path)
            inner.setdefault(folder, []).append(path) if folder else own.append(path)
        found = {path: self.at(path) for path in own}
        self._add_moved(found)
        for add in (self._add_stashed, self._add_past, self._add_followed):
            missing = [path for path in own if not found[path]]
            if missing:
                add(missing, found)
        for folder, below in inner.items():
            there = self._within(below[0])[0]
            start = len(folder) + 1
            rows = there.of([path[start:] for path in below]) if there is not None else {}
            for path in below:
                found[path] = [row._replace(path=f"{folder}/{row.path}") for row in rows.get(path[start:], [])]
        return found

    # --- submodules, and other repositories in the project

    def _nested(self, path: str) -> str:
        """Return the nested repository with a path, or ``""``."""
        folder = path
        while folder := folder.rpartition("/")[0]:
            if os.path.lexists(os.path.join(self._root, folder, ".git")):
                return folder
        return ""

    def _within(self, path: str) -> tuple[FormerMetas | None, str]:
        """Return a path's repository (None if unreadable) and the path in it."""
        folder = self._nested(path)
        if not folder:
            return self, path
        if folder not in self._inner:
            try:
                self._inner[folder] = FormerMetas(os.path.join(self._root, folder))
            except HistoryError:  # a folder that only looks like a repository
                self._inner[folder] = None
        return self._inner[folder], path[len(folder) + 1 :]

    # --- sources

    @cached_property
    def _in_another_case(self) -> dict[str | bytes, str]:
        """Metas of git as :func:`lone_metas` has them.

        BoatAttack has ``AiController.cs`` and ``AIcontroller.cs.meta``.
        """
        there: set[bytes] = set()
        for _, side in self._sides:
            for name in side:
                there.add(name)
                above = os.path.dirname(name)
                while above and above not in there:
                    there.add(above)
                    above = os.path.dirname(above)
        return lone_metas(frozenset(map(os.fsdecode, there)))

    def _entries(self, path: str) -> list[tuple[str, Entry]]:
        name = os.fsencode(path)
        rows = [(where, side[name]) for where, side in self._sides if name in side and side[name].kind == FILE]
        return rows[:1] if len(rows) > 1 and rows[0][1].oid == rows[1][1].oid else rows

    def _add_moved(self, found: dict[str, list[Former]]) -> None:
        """Add the metas of absent files with their content elsewhere now."""
        missing = [path for path in found if not found[path]]
        if not missing:
            return
        absent: dict[str, str] = {}
        metas: dict[str, str] = {}  # by object name, of missing metas
        for _, side in self._sides:
            for name, entry in side.items():
                path = os.fsdecode(name)
                if entry.kind != FILE or path in absent or os.path.lexists(os.path.join(self._root, path)):
                    continue
                if path.endswith(META):
                    metas.setdefault(entry.oid, path)
                elif self._entries(path + META):
                    absent[path] = entry.oid
        moved = find_renames(self._repository, absent, [path for path in missing if self._is_file(path)])
        for new, (old, likeness) in folder_renames(self._root, missing, metas, moved).items():
            found[new] = [former._replace(likeness=likeness) for former in self.at(old)]

    def _is_file(self, path: str) -> bool:
        place = os.path.join(self._root, path)
        return os.path.isfile(place) and not os.path.islink(place)

    def _add_stashed(self, missing: list[str], found: dict[str, list[Former]]) -> None:
        if not self._has_object("refs/stash"):
            return
        commits = self._repository.output("log", "-g", "--format=%H", f"-n{_STASHES}", "refs/stash", "--")
        for number, commit in enumerate(commits.decode("ascii", "replace").split()):
            for revision in (commit, f"{commit}^3"):  # the second: untracked files, with `stash -u`
                if self._has_object(revision):
                    self._add_of(revision, f"stash@{{{number}}}", {path: path for path in missing}, found)

    def _has_object(self, revision: str) -> bool:
        return bool(self._repository.output("rev-parse", "--verify", "--quiet", revision, accept=(0, 1)))

    def _add_past(self, missing: list[str], found: dict[str, list[Former]]) -> None:
        """Add metas from before the commits that deleted them."""
        words = ("log", "--diff-filter=D", "--no-renames", "--name-only", "--relative", "-z")
        # Git compares each file of a commit with each path, and a command line has an end: all metas are fewer words.
        named = [f":(literal){path}{META}" for path in missing]
        log = self._output(*words, "--format=%H", "--", *(named if len(named) <= _MOST_NAMED else _METAS))
        wanted = {path + META for path in missing}
        commit = ""
        deleted: dict[str, dict[str, str]] = {}
        seen = set()
        for token in log.split(b"\0"):
            name = os.fsdecode(token.strip(b"\n"))
            if len(name) in _HASHES and not name.endswith(META):
                commit = name
            elif name in wanted and name not in seen:
                seen.add(name)
                path = name.removesuffix(META)
                deleted.setdefault(commit, {})[path] = path
        for revision, paths in deleted.items():
            self._add_of(f"{revision}^", revision[:10], paths, found)

    def _add_followed(self, missing: list[str], found: dict[str, list[Former]]) -> None:
        """Add metas from before the commits that renamed their files."""
        for path in [path for path in missing if self._entries(path)][:_FOLLOWED]:
            words = ("log", "--follow", "-M", "--diff-filter=R", "--raw", "-z", "-n1", "--format=%H")
            tokens = self._output(*words, "--", path).split(b"\0")
            start = next((number for number, token in enumerate(tokens) if token.lstrip(b"\n").startswith(b":")), 0)
            old = os.fsdecode(tokens[start + 1]) if start else ""
            if old.startswith(self._repository.prefix) and old:
                commit = tokens[0].decode("ascii", "replace").strip()
                self._add_of(f"{commit}^", commit[:10], {old[len(self._repository.prefix) :]: path}, found)

    def _output(self, *words: str) -> bytes:
        """Return git's answer about the past, nothing after a timeout."""
        try:
            return self._repository.output(*words, timeout=_SECONDS)
        except HistoryError:
            return b""

    def _add_of(self, revision: str, where: str, paths: dict[str, str], found: dict[str, list[Former]]) -> None:
        """Add metas of a revision; ``paths`` maps them to current paths."""
        names = [path + META for path, new in paths.items() if not found.get(new)]
        if not names:
            return
        place = ["--", *names] if len(names) <= _MOST_NAMED else ["-r"]
        entries = files_of_tree(self._repository.output("ls-tree", "-z", revision, *place))
        there = [(path.removesuffix(META), entry) for path in names if (entry := entries.get(os.fsencode(path)))]
        for former in self._read([(where, path, entry.oid, _SAME) for path, entry in there]):
            found[paths[former.path]] = [former]

    def _read(self, rows: Iterable[tuple[str, str, str, int]]) -> list[Former]:
        wanted = list(rows)
        blobs = read_all_blobs(self._repository, [oid for _, _, oid, _ in wanted])
        return [
            Former(path, b"".join(blob.pieces()), where, likeness)
            for (where, path, _, likeness), blob in zip(wanted, blobs, strict=True)
            if blob.size <= _LARGEST
        ]
