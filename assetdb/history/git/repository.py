"""A git repository: revisions, the index, and their differences.

Nothing is written or fetched, no program named by a repository is run, and every answer is limited in time and bytes.
Paths are bytes, relative to the project, with ``/``.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import subprocess
import tempfile
from contextlib import nullcontext
from copy import copy
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import FileError, HistoryError
from assetdb.history.git.entries import FILE, SUBMODULE, Entry, differences_in, files_of_index, files_of_tree
from assetdb.history.git.process import GitPlace, running, together
from assetdb.system.failures import excuse
from assetdb.system.identity import identity
from assetdb.system.reading import OPEN_FLAGS, open_regular
from assetdb.system.shared_opening import open_shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import IO

    from assetdb.history.git.entries import Entries
    from assetdb.history.git.process import Failure

_TIMEOUT: Final = 120.0  # seconds for one command; the blobs of a large change are one
_MOST_OUTPUT: Final = 1 << 28  # bytes; a list of a million files has 2**27
_DIFFERENCES: Final = (
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-renames",
    "--no-ext-diff",
    "--ignore-submodules=dirty",
    "--relative",
)
_EMPTY_TREES: Final = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_LONGEST_CHECKSUM: Final = 32
_LARGEST_HASHED: Final = 1 << 26
_MOST_NAMED: Final = 100  # files on one command line
_RULES: Final = b".gitignore"
_ALL: Final = (".",)
_SETTINGS: Final = r"^(filter\.|remote\..*\.promisor$)"
_NOTHING: Final = "ASSETDB_GIT_NOTHING"
_FALSE: Final = "ASSETDB_GIT_FALSE"
_UNUSUAL: Final = re.compile(rb"\0(?:[a-zS] ([0-7]+)|[A-Z] (160000)) ([0-9a-f]+) 0\t([^\0]+)")


class Revision(NamedTuple):
    """A revision, and where the project is in it.

    Attributes:
        commit: its hash; the hash of an empty tree where nothing has been committed yet.
        tree: the hash of the project's tree, ``""`` if the revision has none.
        prefix: the project's folder in it, with a ``/`` at its end; ``""`` at the top.
    """

    commit: str
    tree: str
    prefix: str


class Repository:
    """The repository that a project is in.

    >>> repository = Repository("Village")
    >>> old, new = repository.revision("main~1"), repository.revision("main")
    >>> [path for path in sorted(repository.differences(old, new)) if not path.endswith(b".meta")]
    [b'Assets/Prefabs/Spire.prefab', b'Assets/Prefabs/Tower.prefab']

    Attributes:
        root: the project, absolute.
        prefix: its folder in the repository, with a ``/`` at its end; ``""`` at the top.
        top: the folder of the whole work tree, absolute.
        folder: shared by the work trees of the repository, absolute (``.git``).
        fetches: whether git may fetch blobs that a partial clone lacks.
        promisors: the remotes of a partial clone.
        digits: of the name of an object.
    """

    def __init__(self, root: str, surroundings: Mapping[str, str] | None = None, *, fetch: bool = False) -> None:
        """Find the repository of a project.

        Raises:
            HistoryError: there is none, or git is missing or refuses.
        """
        self.root = root
        self.fetches = fetch
        self._surroundings = dict(surroundings or {})
        self._index = ""
        self._safe: tuple[str, ...] = ()
        self._changed: dict[tuple[str, ...], Entries] = {}
        self._listed: dict[tuple[str, ...], list[tuple[bytes, Entry, bool]]] = {}
        self._others: dict[tuple[str, ...], tuple[list[bytes], list[bytes]]] = {}
        self._outside: frozenset[bytes] | None = None
        try:
            found = self.output("rev-parse", "--show-prefix", "--absolute-git-dir", "--git-common-dir", "HEAD")
        except HistoryError:
            found = self.output("rev-parse", "--show-prefix", "--absolute-git-dir", "--git-common-dir")
        lines = os.fsdecode(found).split("\n")
        if len(lines) < 3 or not lines[1]:
            raise HistoryError(f"{root} is in a repository without a work tree")
        self.prefix = lines[0]
        above = self.prefix.rstrip("/").count("/") + 1 if self.prefix else 0
        self.top = os.path.abspath(os.path.join(root, *[os.pardir] * above))
        tree = self._text("rev-parse", "--show-toplevel")
        if _leads_away(tree, self.top, lines[1]):  # git silently answers for that one
            raise HistoryError(f"{root} is not in the work tree of git here, {tree} (core.worktree)")
        self.folder = os.path.abspath(os.path.join(root, lines[2]))
        self.digits = len(lines[3]) if len(lines) > 3 and lines[3] else self._hash_digits()
        self._own_folder = lines[1]
        self._index = _own_index(lines[1])
        names = self.output("config", "-z", "--name-only", "--get-regexp", _SETTINGS, accept=(0, 1)).split(b"\0")
        self.promisors = tuple(sorted({os.fsdecode(name)[7:-9] for name in names if name.startswith(b"remote.")}))
        drivers = sorted({os.fsdecode(name).rpartition(".")[0] for name in names if name.startswith(b"filter.")})
        # A file changed within the second of the index is compared by its would-be blob.
        # The name of a driver may have a "=" (gitattributes: `filter=a=b`), at the first of which `-c` divides.
        self._safe = tuple(
            f"--config-env={driver}.{key}={variable}"
            for driver in drivers
            for key, variable in (("clean", _NOTHING), ("process", _NOTHING), ("required", _FALSE))
        )

    # --- revisions

    def revision(self, name: str) -> Revision:
        """Return a revision by its name.

        ``main...`` is the fork point from main, ``main..`` is main itself. ``HEAD`` is empty before the first commit.

        Raises:
            HistoryError: there is no such revision.
        """
        if name == "HEAD":
            return self.head()
        if not name or name.startswith("-") or "\0" in name:
            raise HistoryError(f"{name!r} is not a valid revision: give a branch, a tag or a commit")
        base, dots, other = name.partition("...") if "..." in name else name.partition("..")
        if dots == ".." and other:
            raise HistoryError(f"{name!r} is two revisions: name one, or compare them (assetdb diff {name})")
        commit = self._commit(base or "HEAD", name)
        if dots == "...":
            commit = self.merge_base(commit, self._commit(other or "HEAD", name), name)
        return self.located(commit)

    def sides(self, name: str) -> tuple[Revision, Revision]:
        """Return the two sides of a merge.

        ``feature`` is merged into HEAD, ``main...feature`` merges the one into the other.

        Raises:
            HistoryError: there is no such revision.
        """
        ours, dots, theirs = name.partition("...")
        return self.revision(ours if dots and ours else "HEAD"), self.revision(theirs if dots else name)

    def head(self) -> Revision:
        """Return the checked-out commit, empty before the first one."""
        try:
            return self.located(self._commit("HEAD", "HEAD"))
        except HistoryError:
            if self._text("rev-parse", "--verify", "--quiet", "HEAD", accept=(0, 1, 128)):
                raise HistoryError(
                    f"the repository of {self.root} lacks the commit of HEAD: git fsck says what is missing"
                ) from None
            return Revision(_EMPTY_TREES[self.digits], "", self.prefix)

    def _commit(self, name: str, given: str) -> str:
        found = self._parsed(f"{name}^{{commit}}")
        if len(found) == self.digits:
            return found
        advice = "fetch more of it: git fetch --unshallow" if self.is_shallow() else "git fetch may bring it"
        raise HistoryError(
            f"git knows no revision {name!r}{'' if name == given else f' (of {given!r})'} here: {advice}"
        )

    def _parsed(self, name: str) -> str:
        found = self._text("rev-parse", "--verify", "--quiet", "--end-of-options", name, accept=(0, 1, 128))
        return found.rpartition("\n")[2]

    def merge_base(self, one: str, other: str, given: str) -> str:
        """Return the last common commit of two, ``given`` by the user.

        Raises:
            HistoryError: there is none.
        """
        found = self._text("merge-base", one, other, accept=(0, 1))
        if len(found) == self.digits:
            return found
        advice = "fetch more history: git fetch --unshallow" if self.is_shallow() else "name a commit instead"
        raise HistoryError(f"{given!r}: the two sides have no commit in common here; {advice}")

    def is_shallow(self) -> bool:
        """Whether the clone is shallow."""
        return self._text("rev-parse", "--is-shallow-repository") == "true"

    def _hash_digits(self) -> int:
        return 64 if self._text("rev-parse", "--show-object-format") == "sha256" else 40

    def located(self, commit: str) -> Revision:
        """Find the project's folder, perhaps renamed, in a commit or tree."""
        tree = self._tree_at(commit, self.prefix)
        if tree or not self.prefix:
            return Revision(commit, tree, self.prefix)
        folders = self.output("ls-tree", "-r", "-d", "-z", "--name-only", "--full-tree", commit).split(b"\0")
        known = set(folders)
        tops = {folder[: -len(b"Assets")] for folder in known if folder == b"Assets" or folder.endswith(b"/Assets")}
        projects = sorted(os.fsdecode(top) for top in tops if top + b"ProjectSettings" in known)
        if not projects:
            return Revision(commit, "", self.prefix)
        own = {entry.oid for entry in self.index().values()}
        trees = {top: self._tree_at(commit, top) for top in projects}

        def likeness(top: str) -> int:
            return len(own & {entry.oid for entry in self.tree(trees[top]).values()})

        best = max(projects, key=likeness)
        return Revision(commit, trees[best], best) if likeness(best) else Revision(commit, "", self.prefix)

    def _tree_at(self, commit: str, prefix: str) -> str:
        name = f"{commit}^{{tree}}" if not prefix else f"{commit}:{prefix.rstrip('/')}"
        found = self._parsed(name)
        if len(found) != self.digits or (prefix and self._text("cat-file", "-t", found) != "tree"):
            return ""  # the project's folder was a file
        return found

    # --- contents

    def tree(self, oid: str) -> dict[bytes, Entry]:
        """Return the files of a tree by path; ``""`` has none."""
        if not oid:
            return {}
        return files_of_tree(self.output("ls-tree", "-r", "-z", "--full-tree", oid))

    def index(self) -> dict[bytes, Entry]:
        """Return the index of the project, without conflicts."""
        return files_of_index(self.output("ls-files", "-s", "-z"))

    def submodules(self) -> dict[bytes, Entry]:
        """Return the submodules in the index, without conflicts."""
        return {path: entry for path, entry, _ in self._unusual(_ALL) if entry.kind == SUBMODULE}

    # --- differences

    def look_at_disk(self, tops: Sequence[str]) -> None:
        """Compare disk and index and list unknown files, for later answers."""
        together(self._of_index, lambda: self._unknown(tops))

    def index_against_disk(self, *, tops: Sequence[str] = ()) -> Entries:
        """Return the entries of the index that differ from the disk.

        None for files that the index lacks. Submodules are among them where their files may differ. Ignored files are
        left out of both sides. ``tops``: folders in which untracked files count.
        """
        found, untracked = together(self._of_index, lambda: self.untracked(tops))
        outside = self.outside_sparse()
        for path in untracked:
            found.setdefault(path, None)
        return {path: entry for path, entry in found.items() if path not in outside}

    def revision_against_disk(
        self, revision: Revision, *, tops: Sequence[str] = (), only: Sequence[str] = _ALL
    ) -> Entries:
        """Return the entries of a revision that differ from the disk.

        Submodules are among them where their files may differ. ``only`` are patterns of git's for the files that count.
        """
        found, untracked = together(lambda: self._of_index(only), lambda: self.untracked(tops))
        found.update(self.revision_against_index(revision, only))
        for path in untracked:
            found.setdefault(path, None)
        outside = self.outside_sparse()
        folders = _only_outside(outside, self) if outside else frozenset()
        return {
            path: entry
            for path, entry in found.items()
            if path not in outside and not (folders and path.rpartition(b"/")[0] in folders)
        }

    def differences(self, one: Revision, other: Revision) -> Entries:
        """Return a revision's entries that differ from another's, None if absent."""
        trees = [side.tree or _EMPTY_TREES[self.digits] for side in (one, other)]  # of the project: paths are its own
        raw = self.output("diff-tree", "-r", *_DIFFERENCES, "--no-relative", *trees)
        return {path: entry for path, entry, _ in differences_in(raw)}

    def revision_against_index(self, revision: Revision, only: Sequence[str] = _ALL) -> Entries:
        """Return a revision's entries that differ from the index, None if absent."""
        if self._is_elsewhere(revision):
            there: Mapping[bytes, Entry] = self.tree(revision.tree)
            here = self.index()
            found: Entries = {path: entry for path, entry in there.items() if here.get(path) != entry}
            found.update((path, None) for path in here if path not in there)
            return found
        return {path: entry for path, entry, _ in differences_in(self._against_index(revision, only))}

    def staged(self, revision: Revision) -> tuple[Entries, str]:
        """Return entries that differ from the index, and its digest.

        The digest is ``""`` in a merge with conflicts, which depends on the disk, and if the project's folder had
        another name in the revision.
        """
        if self._is_elsewhere(revision):
            return self.revision_against_index(revision), ""
        raw = self._against_index(revision, _ALL)
        rows = list(differences_in(raw))
        is_whole = not any(in_conflict for *_, in_conflict in rows)
        return {path: entry for path, entry, _ in rows}, hashlib.sha256(raw).hexdigest() if is_whole else ""

    def index_identity(self) -> tuple[int, bytes]:
        """Return identity and final checksum of git's index file."""
        try:
            index = open_regular(self._index or os.path.join(self._own_folder, "index"))
            with open(index, "rb", buffering=0) as file:
                status = os.fstat(file.fileno())
                file.seek(max(0, status.st_size - _LONGEST_CHECKSUM))
                return identity(status), file.read(_LONGEST_CHECKSUM)
        except (OSError, FileError):  # nothing was ever added
            return 0, b""

    def _is_elsewhere(self, revision: Revision) -> bool:
        """Whether a revision has the project's folder elsewhere, or lacks it."""
        return revision.prefix != self.prefix or (not revision.tree and bool(self.prefix))

    def _against_index(self, revision: Revision, only: Sequence[str]) -> bytes:
        return self.output("diff-index", "--cached", *_DIFFERENCES, revision.commit, "--", *only)

    def untracked(self, tops: Sequence[str]) -> list[bytes]:
        """Return files, or nested repositories, that git neither has nor ignores."""
        return self._unknown(tops)[0]

    def ignored(self, tops: Sequence[str]) -> list[bytes]:
        """Return files in some folders that git ignores."""
        return self._unknown(tops)[1]

    def _unknown(self, tops: Sequence[str]) -> tuple[list[bytes], list[bytes]]:
        """Return untracked and ignored files, cached, also for more folders."""
        key = tuple(tops)
        wider = next((known for known in self._others if {*known}.issuperset(key)), None)
        if wider is not None and wider != key:
            untracked, ignored_there = self._others[wider]
            self._others[key] = _in_tops(untracked, key), _in_tops(ignored_there, key)
        if key not in self._others:
            places = [f":(literal){top}" for top in tops if os.path.lexists(os.path.join(self.root, top))]
            listed = self.output("ls-files", "-o", "-z", "--", *places).split(b"\0") if places else []
            paths = [path.rstrip(b"/") for path in listed if path]
            ignored: set[bytes] = set()
            if paths:
                self._refuse_pipes(paths)
                given = b"".join(path + b"\0" for path in paths)
                ignored = set(self.output("check-ignore", "-z", "--stdin", accept=(0, 1), given=given).split(b"\0"))
            self._others[key] = [path for path in paths if path not in ignored], sorted(ignored - {b""})
        return self._others[key]

    def _refuse_pipes(self, paths: Iterable[bytes]) -> None:
        """Refuse ignore files that are pipes, on which git would wait.

        Raises:
            HistoryError: one is a pipe or a device.
        """
        top = os.fsencode(self.top)
        within = os.fsencode(self.prefix)
        folders = {b""}
        for path in paths:
            folder = within + path
            while (folder := folder.rpartition(b"/")[0]) not in folders:
                folders.add(folder)
        places = [os.path.join(top, folder, _RULES) for folder in sorted(folders)]
        for place in (*places, os.path.join(os.fsencode(self.folder), b"info", b"exclude")):
            try:
                mode = os.stat(place).st_mode
            except OSError:  # hardly any folder has one
                continue
            if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
                raise HistoryError(f"{os.fsdecode(place)} is not a regular file, and git would wait for it: remove it")

    def index_tree(self) -> str:
        """Return the hash of the project's tree if the index were committed.

        ``""`` if it cannot be. New trees are created outside the repository, and discarded.
        """
        own = self._index or os.path.join(self._own_folder, "index")
        with tempfile.TemporaryDirectory(prefix="assetdb-", ignore_cleanup_errors=True) as place:
            try:
                shutil.copyfile(own, os.path.join(place, "index"))
                os.mkdir(os.path.join(place, "objects"))
            except OSError:  # nothing was ever added, or the disk is full
                return ""
            surroundings = self.writing_into(os.path.join(place, "objects"))
            surroundings["GIT_INDEX_FILE"] = os.path.join(place, "index")
            prefix = [f"--prefix={self.prefix}"] if self.prefix else []
            try:
                return os.fsdecode(self.output("write-tree", "--missing-ok", *prefix, more=surroundings)).strip("\n")
            except HistoryError:  # conflicts, or nothing of the project
                return ""

    def _of_index(self, only: Sequence[str] = _ALL) -> Entries:
        key = tuple(only)
        if key not in self._changed:
            rows = list(differences_in(self.output("diff-files", *_DIFFERENCES, "--", *only)))
            rows += [(path, entry, False) for path, entry in self._unwatched(only)]
            unmerged = {path for path, _, in_conflict in rows if in_conflict}  # ambiguous in the index
            found = {path: entry for path, entry, _ in rows if path not in unmerged}
            same = self._same({path: entry for path, entry in found.items() if entry is not None})
            self._changed[key] = {path: entry for path, entry in found.items() if path not in same}
        return dict(self._changed[key])

    def _unwatched(self, only: Sequence[str]) -> Iterator[tuple[bytes, Entry]]:
        """Yield entries with files that git does not compare with the disk.

        They are marked ``assume-unchanged`` or ``skip-worktree``, or are submodules that are checked out: to compare
        the files of submodules, git would run programs that their settings name.
        """
        root = os.fsencode(self.root)
        for path, entry, is_marked in self._unusual(only):
            if is_marked or os.path.lexists(os.path.join(root, path, b".git")):
                yield path, entry

    def _unusual(self, only: Sequence[str]) -> list[tuple[bytes, Entry, bool]]:
        """Return marked entries and submodules of the index, and which are marked.

        Of 126,000 entries these few are searched for: to read all takes as long as to compare them with a commit.
        """
        key = tuple(only)
        if key not in self._listed:
            listed = b"\0" + self.output("ls-files", "-v", "-s", "-z", "--", *only)
            self._listed[key] = [
                (path, Entry(int(mode or of_submodule, 8), oid.decode()), not of_submodule)
                for mode, of_submodule, oid, path in (found.groups() for found in _UNUSUAL.finditer(listed))
            ]
        return self._listed[key]

    def _same(self, entries: Mapping[bytes, Entry]) -> set[bytes]:
        """Return files with an unchanged blob, even if touched or copied."""
        same = set()
        converted = []
        for path, entry in entries.items():
            data = self._read(path, entry)
            if data is None:
                continue
            if self._oid(data) == entry.oid:
                same.add(path)
            elif b"\r\n" in data and self._oid(data.replace(b"\r\n", b"\n")) == entry.oid:
                converted.append(path)
        for start in range(0, len(converted), _MOST_NAMED):
            paths = converted[start : start + _MOST_NAMED]
            oids = self.output("hash-object", "--", *map(os.fsdecode, paths), accept=(0, 128)).split()
            if len(oids) == len(paths):  # otherwise one disappeared meanwhile
                same.update(path for path, oid in zip(paths, oids, strict=True) if oid.decode() == entries[path].oid)
        return same

    def _oid(self, data: bytes) -> str:
        digest = hashlib.sha256() if self.digits == 64 else hashlib.sha1(usedforsecurity=False)
        digest.update(b"blob %d\0" % len(data))
        digest.update(data)
        return digest.hexdigest()

    def _read(self, path: bytes, entry: Entry) -> bytes | None:
        """Return the bytes of a file, None for a large one."""
        place = os.path.join(os.fsencode(self.root), path)
        try:
            if entry.kind != FILE or os.path.islink(place) or not os.path.isfile(place):
                return None
            size = os.path.getsize(place)
            if size > _LARGEST_HASHED:
                return None
            with open(open_shared(place, OPEN_FLAGS), "rb") as file:
                return file.read(size + 1)
        except OSError as error:
            excuse(path, error)
            return None

    def outside_sparse(self) -> frozenset[bytes]:
        """Return the files that a sparse checkout leaves out, searched once."""
        if self._outside is None:
            is_sparse = self._text("config", "--bool", "core.sparseCheckout", accept=(0, 1)) == "true"
            rows = self.output("ls-files", "-t", "-z").split(b"\0") if is_sparse else []
            top = os.path.join(os.fsencode(self.root), b"")
            self._outside = frozenset(
                row[2:] for row in rows if row.startswith(b"S ") and not os.path.lexists(top + row[2:])
            )
        return self._outside

    # --- asking git

    @property
    def objects(self) -> str:
        """The folder of its objects."""
        return self._surroundings.get("GIT_OBJECT_DIRECTORY") or os.path.join(self.folder, "objects")

    def surrounded(self, more: Mapping[str, str]) -> Repository:
        """Return the repository with more environment variables for git.

        What is known of the disk is shared.
        """
        made = copy(self)
        made._surroundings = {**self._surroundings, **more}  # noqa: SLF001 - its own class
        return made

    def writing_into(self, folder: str) -> dict[str, str]:
        """Return surroundings in which new objects go into another folder."""
        objects = os.path.join(self.folder, "objects")
        return {"GIT_OBJECT_DIRECTORY": folder, "GIT_ALTERNATE_OBJECT_DIRECTORIES": objects}

    def short_digits(self) -> int:
        """Return how many digits a short commit has; ``--no-abbrev`` prints all."""
        return len(self.output("rev-parse", "--short", "HEAD").strip())

    def _text(self, *words: str, accept: Sequence[int] = (0,)) -> str:
        return os.fsdecode(self.output(*words, accept=accept)).strip("\n")

    def output(
        self,
        *words: str,
        accept: Sequence[int] = (0,),
        timeout: float = _TIMEOUT,
        more: Mapping[str, str] | None = None,
        given: bytes = b"",
    ) -> bytes:
        """Return the output of a git command; see :meth:`running`.

        Raises:
            HistoryError: it is missing, fails, takes too long or prints too much.
        """
        with tempfile.TemporaryFile() if given else nullcontext() as source:
            if source is not None:
                source.write(given)
                source.seek(0)
            place = source if source is not None else subprocess.DEVNULL
            with self.running(words, place, timeout, accept, more) as (output, fail):
                data = output.read(_MOST_OUTPUT + 1)
                if len(data) > _MOST_OUTPUT:
                    raise fail(f"prints more than {_MOST_OUTPUT:,} bytes")
        return data

    def running(
        self,
        words: Sequence[str],
        given: int | IO[bytes],
        timeout: float,
        accept: Sequence[int] = (0,),
        more: Mapping[str, str] | None = None,
    ) -> AbstractContextManager[tuple[IO[bytes], Failure]]:
        """Run a git command; see :func:`assetdb.history.git.process.running`."""
        surroundings = {_NOTHING: "", _FALSE: "false", **self._surroundings}
        if self._index:
            surroundings["GIT_INDEX_FILE"] = self._index
        return running(GitPlace(self.root, self._safe, {**surroundings, **(more or {})}), words, given, timeout, accept)


def _leads_away(tree: str, top: str, folder: str) -> bool:
    """Whether ``core.worktree`` names another folder than the repository's."""
    if not os.path.exists(tree):
        return False
    if not os.path.samefile(tree, top):
        return True
    beside = os.path.dirname(folder)  # for a submodule or a linked work tree, a folder of git's own
    above = os.path.realpath(top).rstrip(os.sep) + os.sep
    return (
        os.path.basename(folder) == ".git"
        and os.path.realpath(beside).startswith(above)
        and not os.path.samefile(beside, tree)
    )


def _in_tops(paths: Iterable[bytes], tops: Sequence[str]) -> list[bytes]:
    """Return the paths at or below some folders of a project."""
    starts = tuple(os.fsencode(top) + b"/" for top in tops)
    return [path for path in paths if (path + b"/").startswith(starts)]


def _own_index(folder: str) -> str:
    """Return a hook's index of this repository: ``git commit -a`` makes one."""
    given = os.environ.get("GIT_INDEX_FILE", "")
    if not given:
        return ""
    own = os.path.realpath(folder)
    for start in (os.getcwd(), os.path.dirname(own)):
        place = os.path.realpath(os.path.join(start, given))
        if os.path.isfile(place) and os.path.dirname(place) == own:
            return place
    return ""


def _only_outside(outside: frozenset[bytes], repository: Repository) -> frozenset[bytes]:
    """Return the folders that a sparse checkout leaves out."""
    within = {path.rpartition(b"/")[0] for path in repository.index() if path not in outside}
    return frozenset({path.rpartition(b"/")[0] for path in outside} - within)
