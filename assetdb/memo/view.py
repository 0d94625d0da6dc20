"""A recording view of a project, for functions that derive answers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, TypeVar, cast

from assetdb.memo.inputs import ALONE, ASSETS, FILE, HISTORY, PACKAGES, REFERENCES, ROOT, identity_of
from assetdb.packages.listing import read_list
from assetdb.resolve.resolver import Resolver
from assetdb.system.identity import RACY, Identities

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assetdb.memo.inputs import Assets, Input, Inputs, Value
    from assetdb.packages.location import Location
    from assetdb.packages.view import PackageView
    from assetdb.resolve.instances import Content
    from assetdb.store.indexes.graph import Graph

_MEMORY: Final = "facts of files"
_Facts = TypeVar("_Facts")


class View:
    """A project that notes each look at it.

    There is no other way to the project, so nothing that an answer rests on can be forgotten.

    Attributes:
        noted: the inputs that were looked at, each with its value.
    """

    def __init__(self, inputs: Inputs) -> None:
        """Note nothing yet."""
        self._inputs = inputs
        self._project = inputs.project
        self._identities = Identities(time.time_ns())
        self._resolver: Resolver | None = None
        self.noted: dict[Input, Value] = {}

    def note(self, kind: str, argument: str = "", value: Value | None = None) -> None:
        """Note that the answer rests on an input.

        Args:
            kind: one of those of :mod:`assetdb.memo.inputs`.
            argument: which input of that kind.
            value: of the input, as it was when it was looked at; by default that of now.
        """
        key = kind, argument
        if key not in self.noted:
            self.noted[key] = self._inputs.value(kind, argument) if value is None else value

    def inherit(self, noted: Mapping[Input, Value]) -> None:
        """Note the inputs of another answer that this one uses."""
        for key, value in noted.items():
            self.noted.setdefault(key, value)

    @property
    def root(self) -> str:
        """The folder of the project, absolute."""
        self.note(ROOT)
        return self._project.root

    @property
    def database(self) -> Assets:
        """The assets and folders of the project."""
        self.note(ASSETS)
        return self._project.database

    def graph(self, part: str) -> Graph:
        """Return the graph of references, to use one part of.

        Args:
            part: a row of :data:`assetdb.memo.inputs.GRAPHS`, which digests the references that count.
        """
        self.note(ASSETS)  # nodes are numbered in the order of GUIDs
        self.note(REFERENCES, part)
        return self._project.database.graph

    @property
    def packages(self) -> PackageView:
        """The packages outside the project."""
        self.note(PACKAGES)
        return self._project.packages

    @property
    def resolver(self) -> Resolver:
        """A resolver of references that notes the files it reads."""
        if self._resolver is None:
            for kind in (ASSETS, ALONE, PACKAGES):
                self.note(kind)
            packages = read_list(self._project.folder)
            if packages.problems or any(not row.folder for row in packages.rows):
                self.note(HISTORY)  # what nothing here has may be in a package, or be lost
            self._resolver = _NotingResolver(self._project.resolver, self._identities, self.noted)
        return self._resolver

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, None where it cannot be read.

        Args:
            path: relative to the project, or absolute.

        Raises:
            ScanError: whether it can be read cannot be told just now.
        """
        self._note_file(path)
        return self._project.read(path)

    def names_in(self, folder: str) -> list[str]:
        """Return the sorted names in a folder, absent or not.

        Raises:
            ScanError: it cannot be listed just now.
        """
        self._note_file(folder)
        return self._project.names_in(folder)

    def exists(self, path: str) -> bool:
        """Whether a file or folder is there."""
        self._note_file(path)
        return self._project.exists(path)

    def facts(self, path: str, extract: Callable[[bytes], _Facts]) -> _Facts:
        """Return the facts that a function extracts from a file.

        Of one that cannot be read, those of no bytes.

        A daemon's next snapshot, and the next function, read only what changed since.
        """
        now = self._note_file(path)
        known = cast("dict[tuple[str, object], tuple[Value, object]]", self._project.memory.setdefault(_MEMORY, {}))
        held = known.get((path, extract))
        if held is not None and held[0] == now != RACY:
            return cast("_Facts", held[1])
        found = extract(self._project.read(path) or b"")
        known[path, extract] = now, found
        return found

    def _note_file(self, path: str) -> Value:
        return _note_file(self.noted, self._identities, self._project.root, path)


class _NotingResolver(Resolver):
    """A resolver that notes the files its answers rest on.

    It goes on from what another one has read.
    """

    def __init__(self, shared: Resolver, identities: Identities, noted: dict[Input, Value]) -> None:
        super().__init__(shared.root, None)
        self._shared = shared
        self._identities = identities
        self._noted = noted  # and not the view: a circle keeps all that was read until garbage is collected

    def locate(self, guid: str) -> Location | None:
        found = self._shared.locate(guid)
        if found is not None and found.file:
            prefix = f"{self.root}/"
            for file in (found.file, f"{found.file}.meta"):
                _note_file(self._noted, self._identities, self.root, file.removeprefix(prefix))
        return found

    def absence(self, guid: str, *, assembly: bool = False) -> str:
        return self._shared.absence(guid, assembly=assembly)

    def content(self, guid: str) -> Content:
        self.locate(guid)
        return self._shared.content(guid)


def _note_file(noted: dict[Input, Value], identities: Identities, root: str, path: str) -> Value:
    key = FILE, path
    now = noted.get(key)
    if now is None:
        now = noted[key] = identity_of(root, path, identities.of)
    return now
