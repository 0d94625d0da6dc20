"""Inputs of derived answers, and their values to compare."""

from __future__ import annotations

import os
from array import array
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from assetdb.diagnostics import STAND_ALONE
from assetdb.memo.tree import Tree
from assetdb.packages.listing import read_list
from assetdb.settings.project import asset_file
from assetdb.system.identity import RACY, identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.database import Database
    from assetdb.store.entry import Asset
    from assetdb.store.indexes.supplement import Rival
    from assetdb.workspace.workspace import Listing

Input: TypeAlias = tuple[str, str]
"""A kind of input, and which one of that kind: a path, or ``""`` where the project has one."""
Value: TypeAlias = "int | str"
"""What an input was: values are compared, and nothing else. :data:`RACY` equals no later value."""

FILE: Final = "file"
"""A file or folder by its path, relative to the project or absolute: its identity."""
TREE: Final = "tree"
"""All files that a scan looks at: a digest of their names and identities."""
ASSETS: Final = "assets"
"""Assets and folders: a digest of the database, which does not change with references alone."""
REFERENCES: Final = "references"
"""Some of the references between assets: a digest of those that a row of :data:`GRAPHS` selects."""
ALONE: Final = "alone"
"""Metas without an asset."""
PACKAGES: Final = "packages"
"""Packages outside the project: their list, and the times of their own database."""
HISTORY: Final = "history"
"""Git's history. It counts only where a package is not on this machine, which may have what nothing here has."""
ROOT: Final = "root"
"""The folder of the project."""

ABSENT: Final = -3
"""Identity of a file that is not there; no file has it by more than accident."""
SCRIPTS: Final = "scripts"
PREFABS: Final = "prefabs"
_CODE: Final = ".cs"
_PREFAB: Final = ".prefab"


class Assets(Protocol):
    """The assets and folders of a project, without the references between them."""

    def by_guid(self, guid: str) -> Asset | None:
        """Return the asset with a GUID (32 lower-case hex digits), or None."""

    def guids(self) -> bytes:
        """Return the GUIDs of all assets, 16 bytes each, in order."""

    def containing(self, text: bytes) -> Iterator[Asset]:
        """Iterate over the assets with a text in their entries."""

    def of_script(self, guid: str) -> Iterator[Asset]:
        """Iterate over the assets that have a script as their type."""

    def folder(self, guid: str) -> str | None:
        """Return the path of the folder with a GUID, or None."""

    @property
    def rivals(self) -> tuple[Rival, ...]:
        """The assets that share a GUID with the owner of its entry."""


class Inputs:
    """The inputs of one snapshot, for one question.

    Each is looked at once.
    """

    def __init__(
        self, project: Snapshot, listing: Listing | None, of_snapshot: dict[Input, Value | Tree], number: int
    ) -> None:
        """Look at nothing yet.

        Args:
            project: brought up to date.
            listing: of its directories.
            of_snapshot: values that hold while the snapshot does, for all questions about it.
            number: of the listing, 0 where there is none.
        """
        self.project = project
        self.listing = listing
        self.number = number
        self._of_snapshot = of_snapshot
        self._found: dict[Input, Value] = {}

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

    @property
    def tree(self) -> Tree | None:
        """The tree of the snapshot; None where nobody has looked at it."""
        if self.listing is None:
            return None
        known = self._of_snapshot.get(("", ""))
        if not isinstance(known, Tree) or known.listing is not self.listing:
            known = self._of_snapshot["", ""] = Tree(self.project.root, self.listing)
            self._of_snapshot.pop((TREE, ""), None)
        return known

    def is_scanned(self, path: str) -> bool:
        """Whether the digest of the tree covers a file."""
        tree = self.tree
        return tree is not None and tree.has(path)


def identity_of(root: str, path: str, of: Callable[[os.stat_result], int]) -> int:
    """Return the identity of a file, :data:`ABSENT` where there is none."""
    try:
        return of(os.stat(asset_file(root, path)))
    except (OSError, ValueError):
        return ABSENT


def script_paths(database: Assets) -> dict[str, str]:
    """Return the paths of the C# files of a project, by GUID."""
    rows = [(asset.guid, asset.path) for asset in database.containing(_CODE.encode()) if asset.path.endswith(_CODE)]
    rows += [(rival.asset.guid, rival.asset.path) for rival in database.rivals if rival.asset.path.endswith(_CODE)]
    return {guid: path for guid, path in rows if "\ufffd" not in path}


def _digest_of_scripts(database: Database) -> str:
    """Return a digest of the references to the scripts of a project."""
    digest = sha256()
    for script in sorted(script_paths(database)):
        node = database.graph.node(int(script, 16))
        users = sorted(database.graph.incoming(node)) if node is not None else []
        digest.update(array("I", [len(users), *users]).tobytes())
    digest.update(repr([sorted(rival.targets) for rival in database.rivals]).encode())
    return digest.hexdigest()


def _digest_of_prefabs(database: Database) -> str:
    """Return a digest of the references between the prefabs of a project."""
    graph = database.graph
    assets = (asset for asset in database.containing(_PREFAB.encode()) if asset.path.endswith(_PREFAB))
    nodes = {node for asset in assets if (node := graph.node(int(asset.guid, 16))) is not None}
    digest = sha256()
    for node in sorted(nodes):
        others = sorted(nodes.intersection(graph.outgoing(node)))
        digest.update(array("I", [len(others), *others]).tobytes())
    return digest.hexdigest()


GRAPHS: Final = {SCRIPTS: _digest_of_scripts, PREFABS: _digest_of_prefabs}
"""Digests of parts of the graph: few answers rest on all references, and these change with nearly every edit."""


def _file(inputs: Inputs, path: str) -> Value:
    return identity_of(inputs.project.root, path, identity)


def _tree(inputs: Inputs, _: str) -> Value:
    tree = inputs.tree
    return RACY if tree is None or tree.is_racy else tree.digest.hex()


def _assets(inputs: Inputs, _: str) -> Value:
    database = inputs.project.database
    rivals = repr([(rival.asset.path, rival.asset.guid) for rival in database.rivals])
    return f"{database.fingerprint()} {sha256(rivals.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _references(inputs: Inputs, part: str) -> Value:
    digest = GRAPHS.get(part)
    return RACY if digest is None else digest(inputs.project.database)


def _alone(inputs: Inputs, _: str) -> Value:
    paths = sorted(item.path for item in inputs.project.diagnostics() if item.code in STAND_ALONE)
    return sha256(repr(paths).encode("utf-8", "surrogatepass")).hexdigest()


def _packages(inputs: Inputs, _: str) -> Value:
    return sha256(repr(read_list(inputs.project.folder).content).encode("utf-8", "surrogatepass")).hexdigest()


def _history(inputs: Inputs, _: str) -> Value:
    return inputs.project.losses.stamp


def _root(inputs: Inputs, _: str) -> Value:
    return inputs.project.root


KINDS: Final = {
    FILE: _file,
    TREE: _tree,
    ASSETS: _assets,
    REFERENCES: _references,
    ALONE: _alone,
    PACKAGES: _packages,
    HISTORY: _history,
    ROOT: _root,
}
"""How the value of each kind of input is found."""
_OF_SNAPSHOT: Final = frozenset((TREE, ASSETS, REFERENCES, ALONE))
