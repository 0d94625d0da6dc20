"""Inputs of derived answers, and their values to compare."""

from __future__ import annotations

import os
import time
from array import array
from functools import partial

from assetdb.diagnostics import STAND_ALONE
from assetdb.memo import contents
from assetdb.memo.contents import ABSENT, content_of_bytes
from assetdb.memo.facts import FileFacts
from assetdb.memo.script_facts import COMPARED
from assetdb.memo.tree import Tree
from assetdb.packages.listing import read_list
from assetdb.scan.content_id import digest_state
from assetdb.settings.project import asset_file, asset_roots, files_beside, own_path
from assetdb.store.files import DATABASE_NAME, INDEX_NAME, PACKAGES_FOLDER
from assetdb.system.identity import RACY, Identities
from assetdb_formats.records import TypeVar

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Final, Protocol, TypeAlias

    from assetdb.memo.contents import Contents
    from assetdb.memo.facts import Extraction
    from assetdb.memo.marks import MarkTable
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset, GuidLookup
    from assetdb.store.indexes.supplement import Duplicate
    from assetdb.workspace.workspace import Listing

    class Assets(GuidLookup, Protocol):
        """The assets and folders of a project, without their references."""

        def __iter__(self) -> Iterator[Asset]:
            """Iterate over all assets, in the order of their GUIDs."""

        def guids(self) -> bytes:
            """Return the GUIDs of all assets, 16 bytes each, in order."""

        def containing(self, text: bytes) -> Iterator[Asset]:
            """Iterate over the assets with a text in their entries."""

        def ending(self, text: str) -> Iterator[Asset]:
            """Iterate over the assets with paths that end with an extension."""

        def of_script(self, guid: str) -> Iterator[Asset]:
            """Iterate over the assets that have a script as their type."""

        @property
        def duplicates(self) -> tuple[Duplicate, ...]:
            """The assets that share a GUID with the owner of its entry."""


_Facts = TypeVar("_Facts")
Input: TypeAlias = "tuple[str, str]"
"""A kind of input and its argument: a path, or ``""`` if a project has only one."""
Value: TypeAlias = "int | str"
"""The value of an input, which is only compared. :data:`RACY` counts as different from every value."""

CONTENT: Final = "content"
"""A file or folder by its path, relative to the project or absolute: its bytes, or the names in it."""
EXISTENCE: Final = "existence"
"""Whether a file or folder is there, by its path."""
IDENTITY: Final = "identity"
"""The identity of a file by its path: the input of answers that read only its beginning."""
OF_FILES: Final = frozenset((CONTENT, EXISTENCE, IDENTITY, *COMPARED))
"""Kinds of inputs for one file; a scan covers some of the files."""
TREE: Final = "tree"
"""All files of a scan: a digest of their names and identities."""
READ: Final = "read"
"""All files of a scan but the bytes of scripts, textures and others whose objects are named without these."""
ASSETS: Final = "assets"
"""Assets and folders: a digest of the database, which does not change with references alone."""
REFERENCES: Final = "references"
"""Some of the references between assets: a digest of the references that a row of :data:`GRAPHS` selects."""
ALONE: Final = "alone"
"""Metas without an asset."""
UNSEEN: Final = "unseen"
"""Whether a file or folder that could not be read may have GUIDs that nothing else has."""
PACKAGES: Final = "packages"
"""Packages outside the project: their list, and the content of their own database and index."""
HISTORY: Final = "history"
"""Git's history. It matters only if a package is absent, which may have missing GUIDs."""
UNTRACKED: Final = "untracked"
"""Files of the project that git does not have."""
USERS: Final = "users"
"""The assets that refer to some other assets, by the GUIDs of the others, joined by spaces."""
MARKS: Final = "marks"
"""Something of the marks of all C# files, by one of the uses in :mod:`assetdb.memo.marks`."""
TOPS: Final = "tops"
"""The folders of assets, which are different for a package."""
FILES: Final = "files"
"""Files of a build, which are in no scan: names and identities, by paths of files and folders, joined by NULs."""
OF_TREE: Final = frozenset((TREE, READ, REFERENCES, USERS, MARKS))
"""Kinds of inputs that do not change while the tree does not."""
SETTINGS: Final = "settings"
"""Files of settings and lists of packages: their names and identities."""
SNAPSHOT: Final = "snapshot"
"""The snapshot itself, of an answer that is valid for no other one."""

SCRIPTS: Final = "scripts"
PREFABS: Final = "prefabs"
_CODE: Final = ".cs"
_PREFAB: Final = ".prefab"


class Inputs:
    """The inputs of one snapshot for one question, each examined once."""

    def __init__(
        self,
        project: Snapshot,
        listing: Listing | None,
        of_snapshot: dict[Input, Value | Tree],
        contents: Contents,
        number: int,
        facts: FileFacts | None = None,
        derive: Callable[..., tuple[Any, dict[Input, Value]]] | None = None,
    ) -> None:
        """Examine nothing yet.

        Args:
            project: brought up to date.
            listing: of its directories.
            of_snapshot: values valid for the snapshot, shared by all its questions.
            contents: of files, as far as they are known.
            number: of the listing, 0 if there is none.
            facts: of files, as far as they are known; by default none are.
            derive: :meth:`assetdb.memo.memo.Memo.derive_part`; without it, parts of answers are not kept.
        """
        self.project = project
        self.listing = listing
        self.number = number
        self._of_snapshot = of_snapshot
        self._contents = contents
        self.facts = FileFacts(lambda _: None) if facts is None else facts
        self.derive = derive
        self.identities = Identities(time.time_ns())
        self._found: dict[Input, Value] = {}
        self._scripts: dict[str, str] | None = None
        self._marks: MarkTable | None = None
        self.shared: dict[object, tuple[object, dict[Input, Value]]] = {}
        """Answers that several functions need, with their inputs."""

    @property
    def scripts(self) -> dict[str, str]:
        """The GUIDs of the C# files by path, listed once."""
        if self._scripts is None:
            self._scripts = scripts(self.project.database)
        return self._scripts

    @property
    def marks(self) -> MarkTable:
        """The marks of all C# files, read once."""
        if self._marks is None:
            from assetdb.memo.marks import MarkTable  # noqa: PLC0415 - most answers do without

            self._marks = MarkTable(self)
        return self._marks

    def value(self, kind: str, argument: str) -> Value:
        """Return the value of an input now.

        Raises:
            KeyError: there is no such kind.
        """
        key = kind, argument
        found = self._of_snapshot.get(key) if kind in _OF_SNAPSHOT else self._found.get(key)
        if found is None or isinstance(found, Tree):
            found = KINDS[kind](self, argument)
            if kind in _OF_SNAPSHOT:
                self._of_snapshot[key] = found
            else:
                self._found[key] = found
        return found

    def content(self, path: str) -> tuple[int, bytes | None]:
        """Return the content of a file, and its bytes if read now.

        Args:
            path: relative to the project, or absolute.

        Raises:
            ScanError: it cannot be read now.
        """
        path = self.own_path(path)
        known = self._found.get((CONTENT, path))
        if isinstance(known, int):
            return known, None
        tree = self._of_snapshot.get(("", ""))
        if not isinstance(tree, Tree) or tree.listing is not self.listing:
            tree = None
        if tree is not None:  # the scan has looked at the file
            content = self._contents.scanned(path, tree.identity_of(path))
            if content is not None:
                self._found[CONTENT, path] = content
                return content, None
        found = self._contents.look(self.project, path, self.identities, self.project.file_of(path), tree)
        self._found[CONTENT, path] = found[0]
        return found

    def own_path(self, path: str) -> str:
        """Return a project's path relative to it, as a clone has it."""
        return own_path(self.project.root, path)

    def facts_of(self, extraction: Extraction[_Facts], path: str) -> tuple[Value, _Facts]:
        """Return the origin of a file's facts, and the facts.

        The origin is the content that first had them, :data:`RACY` if the file changes just now.

        Raises:
            ScanError: it cannot be read now.
        """
        path = self.own_path(path)
        content, data = self.content(path)
        found = self.facts.find(extraction, path, content) if content != RACY else None
        origin = self.facts.origin(extraction, path, content) if found is not None else None
        if found is None or origin is None:
            return self._extracted(extraction, path, content, data)
        return origin, found[0]

    def facts_of_all(self, extraction: Extraction[_Facts], paths: Iterable[str]) -> dict[str, tuple[Value, _Facts]]:
        """Return :meth:`facts_of` of many files, by path.

        Raises:
            ScanError: one cannot be read now.
        """
        tree, known = self.tree, self._contents
        contents = {} if tree is None else {path: known.scanned(path, tree.identity_of(path)) for path in paths}
        found = self.facts.find_all(extraction, {path: each for path, each in contents.items() if each is not None})
        return {path: found.get(path) or self.facts_of(extraction, path) for path in paths}

    def origin_of(self, extraction: Extraction[Any], path: str) -> Value:
        """Return the content that first had a file's facts.

        Raises:
            ScanError: it cannot be read now.
        """
        content, data = self.content(path)
        origin = self.facts.origin(extraction, path, content) if content != RACY else None
        return self._extracted(extraction, path, content, data)[0] if origin is None else origin

    def _extracted(
        self, extraction: Extraction[_Facts], path: str, content: int, data: bytes | None
    ) -> tuple[Value, _Facts]:
        """Return the origin of a file's facts and the facts, read now."""
        is_read_now = data is None  # else its content was told by these bytes
        if data is None:
            data = self.project.read(path)
        facts = extraction.extract(data or b"")
        if data is None:  # it is gone, or cannot be read now, whatever the scan saw
            return (content if content == ABSENT else RACY), facts
        is_other = is_read_now and len(data) <= contents.LARGEST and content_of_bytes(data) != content
        if content == RACY or is_other:
            return RACY, facts
        return self.facts.add(extraction, path, content, facts), facts

    def known_content(self, path: str, identity: int) -> int | None:
        """Return the content of a file that had an identity, or None."""
        return self._contents.scanned(path, identity) if identity != RACY else None

    def content_of(self, path: str) -> int:
        """Return the content of a file alone."""
        return self.content(path)[0]

    @property
    def tree(self) -> Tree | None:
        """The tree of the snapshot; None if it was not scanned."""
        if self.listing is None:
            return None
        known = self._of_snapshot.get(("", ""))
        if not isinstance(known, Tree) or known.listing is not self.listing:
            known = self._of_snapshot["", ""] = Tree(self.listing)
            self._of_snapshot.pop((TREE, ""), None)
        return known

    def is_scanned(self, path: str) -> bool:
        """Whether the digest of the tree covers a file."""
        tree = self.tree
        return tree is not None and tree.has(path)


def scripts(database: Assets) -> dict[str, str]:
    """Return the GUIDs of the C# files of a project, by path.

    Two files may share a GUID, the one that Unity takes first: its compiler takes both.
    """
    rows = [(asset.path, asset.guid) for asset in database.ending(_CODE)]
    rows += [
        (duplicate.asset.path, duplicate.asset.guid)
        for duplicate in database.duplicates
        if duplicate.asset.path.lower().endswith(_CODE)
    ]
    return {path: guid for path, guid in rows if "\ufffd" not in path}


def _digest_of_scripts(inputs: Inputs) -> str:
    """Return a digest of the references to the scripts of a project."""
    database = inputs.project.database
    digest = digest_state()
    for script in sorted(set(inputs.scripts.values())):
        node = database.graph.node(int(script, 16))
        users = sorted(database.graph.incoming(node)) if node is not None else []
        digest.update(array("I", [len(users), *users]).tobytes())
    digest.update(repr([sorted(duplicate.targets) for duplicate in database.duplicates]).encode())
    return digest.hexdigest()


def _digest_of_prefabs(inputs: Inputs) -> str:
    """Return a digest of the references between the prefabs of a project."""
    graph = inputs.project.database.graph
    nodes = {
        node
        for asset in inputs.project.database.ending(_PREFAB)
        if (node := graph.node(int(asset.guid, 16))) is not None
    }
    digest = digest_state()
    for node in sorted(nodes):
        others = sorted(nodes.intersection(graph.outgoing(node)))
        digest.update(array("I", [len(others), *others]).tobytes())
    return digest.hexdigest()


GRAPHS: Final = {SCRIPTS: _digest_of_scripts, PREFABS: _digest_of_prefabs}
"""Digests of parts of the graph: few answers depend on all references, which change with nearly every edit."""


def _identity(inputs: Inputs, path: str) -> Value:
    try:
        return inputs.identities.of(os.stat(asset_file(inputs.project.root, path)))
    except (OSError, ValueError):
        return ABSENT


def _tree(inputs: Inputs, _: str) -> Value:
    tree = inputs.tree
    return RACY if tree is None or tree.is_racy else tree.digest.hex()


def _read(inputs: Inputs, _: str) -> Value:
    digest = inputs.tree.digest_of_read if inputs.tree is not None else None
    return RACY if digest is None else digest.hex()


def _assets(inputs: Inputs, _: str) -> Value:
    database = inputs.project.database
    duplicates = repr([(duplicate.asset.path, duplicate.asset.guid) for duplicate in database.duplicates])
    return f"{database.fingerprint()} {digest_state(duplicates.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _references(inputs: Inputs, part: str) -> Value:
    digest = GRAPHS.get(part)
    return RACY if digest is None else digest(inputs)


def _users(inputs: Inputs, guids: str) -> Value:
    graph = inputs.project.database.graph
    digest = digest_state()
    for guid in guids.split(" "):
        node = graph.node(int(guid, 16))
        users = sorted(graph.guids(graph.incoming(node))) if node is not None else []
        digest.update(f"{guid} {len(users)} {' '.join(users)}\n".encode())
    return digest.hexdigest()


def _alone(inputs: Inputs, _: str) -> Value:
    found = inputs.project.diagnostics()
    paths = sorted(item.path for item in found if item.code in STAND_ALONE)
    paths += sorted(f"{item.path} {item.message}" for item in found if item.code == "encoded-guid")
    return digest_state(repr(paths).encode("utf-8", "surrogatepass")).hexdigest()


def _packages(inputs: Inputs, _: str) -> Value:
    project = inputs.project
    folder = os.path.join(project.folder, PACKAGES_FOLDER)
    files = [inputs.content(os.path.join(folder, name))[0] for name in (DATABASE_NAME, INDEX_NAME)]
    known = read_list(project.folder).of_any_clone(project.root)
    return digest_state(repr((known, files)).encode("utf-8", "surrogatepass")).hexdigest()


def _files(inputs: Inputs, paths: str) -> Value:
    from assetdb_formats.inputs import Folder  # noqa: PLC0415 - few answers depend on a build

    digest = digest_state()
    for path in paths.split("\0"):
        folder = Folder(path) if os.path.isdir(path) else None
        for place in [path] if folder is None else map(folder.place, folder.names()):
            try:
                found = inputs.identities.of(os.stat(place))
            except OSError:
                found = ABSENT
            if found == RACY:
                return RACY
            digest.update(f"{place}\0{found}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _origin(name: str, inputs: Inputs, path: str) -> Value:
    return inputs.origin_of(COMPARED[name], path)


KINDS: Final[dict[str, Callable[[Inputs, str], Value]]] = {
    CONTENT: Inputs.content_of,
    **{name: partial(_origin, name) for name in COMPARED},
    EXISTENCE: lambda inputs, path: int(inputs.project.exists(path)),
    IDENTITY: _identity,
    TREE: _tree,
    READ: _read,
    ASSETS: _assets,
    REFERENCES: _references,
    ALONE: _alone,
    UNSEEN: lambda inputs, _: int(inputs.project.hides_guids),
    PACKAGES: _packages,
    HISTORY: lambda inputs, _: inputs.project.losses.stamp,
    UNTRACKED: lambda inputs, _: inputs.project.untracked_stamp,
    USERS: _users,
    MARKS: lambda inputs, use: inputs.marks.value(use),
    TOPS: lambda inputs, _: "/".join(asset_roots(inputs.project.root)),
    FILES: _files,
    SETTINGS: lambda inputs, _: repr(files_beside(inputs.project.root)),
    SNAPSHOT: lambda inputs, _: inputs.project.number,
}
"""Functions that compute the value of each kind of input."""
_OF_SNAPSHOT: Final = frozenset((TREE, READ, ASSETS, REFERENCES, USERS, ALONE, UNSEEN))
