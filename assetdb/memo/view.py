"""A recording view of a project, for functions that derive answers."""

from __future__ import annotations

import os
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar, cast

from assetdb.history.git.questions import repository_prefix
from assetdb.memo import contents
from assetdb.memo.contents import content_of_bytes, content_of_names
from assetdb.memo.inputs import (
    ALONE,
    ASSETS,
    CONTENT,
    EXISTENCE,
    HISTORY,
    IDENTITY,
    MARKS,
    PACKAGES,
    REFERENCES,
    TOPS,
    UNSEEN,
    UNTRACKED,
    USERS,
)
from assetdb.memo.marks import EMPTY, EMPTY_FILE, TYPE
from assetdb.memo.noted import inherit
from assetdb.memo.tree import is_named_unread
from assetdb.packages.listing import read_list
from assetdb.resolve.resolver import Resolver
from assetdb.scan.directory import SLASH
from assetdb.scan.walking.listing import shown
from assetdb.settings.configuration import read_configuration
from assetdb.settings.project import CONFIGURATION_NAME, asset_roots
from assetdb.system.identity import RACY

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from assetdb.history.tracking.storage import Storage
    from assetdb.history.tracking.untracked import Untracked
    from assetdb.memo.facts import Extraction
    from assetdb.memo.inputs import Assets, Input, Inputs, Value
    from assetdb.memo.marks import Aspect
    from assetdb.packages.location import Location
    from assetdb.packages.view import PackageView
    from assetdb.resolve.instances import Content
    from assetdb.settings.team_rules import TeamRule
    from assetdb.store.indexes.graph import Graph

_Facts = TypeVar("_Facts")
_Answer = TypeVar("_Answer")
_Value = TypeVar("_Value")


class View:
    """A project that records each access, so no input is missed.

    Attributes:
        noted: the accessed inputs, each with its value.
    """

    def __init__(self, inputs: Inputs, *, records: bool = True) -> None:
        """Take inputs; ``records``: whether accesses are recorded."""
        self._inputs = inputs
        self._records = records
        self._project = inputs.project
        self._resolver: Resolver | None = None
        self.noted: dict[Input, Value] = {}
        self._shares: set[object] = set()  # functions of shared answers whose inputs are noted

    def note(self, kind: str, argument: str = "", value: Value | None = None) -> None:
        """Record an input of the answer.

        Args:
            kind: a kind of :mod:`assetdb.memo.inputs`.
            argument: which input of that kind.
            value: of the input at access; by default the current one.
        """
        key = kind, argument
        if key not in self.noted and self._records:
            self.noted[key] = self._inputs.value(kind, argument) if value is None else value

    def inherit(self, noted: Mapping[Input, Value]) -> None:
        """Record the inputs of another answer that this one uses."""
        if self._records:
            inherit(self.noted, noted)

    @property
    def tops(self) -> tuple[str, ...]:
        """The folders of assets."""
        self.note(TOPS)
        return asset_roots(self._project.root)

    @property
    def database(self) -> Assets:
        """The assets and folders of the project."""
        self.note(ASSETS)
        return self._project.database

    def graph(self, part: str) -> Graph:
        """Return the graph of references, to use one part of.

        Args:
            part: a row of :data:`assetdb.memo.inputs.GRAPHS`, which digests the relevant references.
        """
        self.note(ASSETS)  # nodes are numbered in the order of GUIDs
        self.note(REFERENCES, part)
        return self._project.database.graph

    def folders(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each folder with the names in it that have a GUID."""
        self.note(ASSETS)
        listing = self._inputs.listing
        if listing is None:
            rows = [asset.path for asset in self._project.database]
            rows += [path for _, path in self._project.database.folders()]
            for folder, paths in groupby(sorted(rows, key=_folder_of), _folder_of):
                yield folder, [path.rpartition("/")[2] for path in paths]
            return
        for directory in listing.directories.values():
            whole = listing.complete(directory)
            files = whole.files.split(SLASH)[: 2 * (len(whole.guids) // 16) : 2] if whole.guids else []
            names = [*files, *(whole.folders.split(SLASH) if whole.folders else ())]
            if names:
                yield shown(whole.path), [shown(name) for name in names]

    @property
    def repository_prefix(self) -> str:
        """The project's folder in its repository (``Game/``), or ``""``."""
        return repository_prefix(self._project.root)

    def users(self, guids: Sequence[str]) -> dict[str, list[str]]:
        """Return the users of assets, GUIDs by GUID."""
        if not guids:
            return {}
        self.note(USERS, " ".join(guids))
        graph = self._project.database.graph
        nodes = {guid: graph.node(int(guid, 16)) for guid in guids}
        return {guid: graph.guids(graph.incoming(node)) for guid, node in nodes.items() if node is not None}

    @property
    def scripts(self) -> dict[str, str]:
        """The GUIDs of the C# files, by path (:func:`assetdb.memo.inputs.scripts`)."""
        self.note(ASSETS)
        return self._inputs.scripts

    def marked(self, aspect: Aspect[_Value]) -> dict[str, _Value]:
        """Return an aspect of the C# files that have it, by path."""
        self._note_marks(aspect.name)
        return self._inputs.marks.marked(aspect)

    def empty_among(self, paths: Collection[str], most: int) -> list[str] | None:
        """Return the empty ones of some C# files, None beyond ``most``.

        None rests on so many files that prove it: where nearly all are empty, as without the contents of Git LFS, most
        answers stay when one gets its class.
        """
        known = self._inputs.marks.empty
        empty = [path for path in paths if path in known]
        is_more = len(empty) > most
        for use in [EMPTY_FILE + path for path in empty[: most + 1]] if is_more else [EMPTY.name]:
            self._note_marks(use)
        return None if is_more else empty

    def mentions(self, name: str) -> list[tuple[str, str]]:
        """Return files that may declare a type, each with a first base."""
        self._note_marks(TYPE + name)
        return self._inputs.marks.files.get(name, [])

    @property
    def twins(self) -> dict[str, list[str]]:
        """The files that may declare a type, of types with several."""
        self._note_marks(self._inputs.marks.use_of_twins)
        return self._inputs.marks.twins

    def _note_marks(self, use: str) -> None:
        self.note(ASSETS)
        self.note(MARKS, use)

    @property
    def untracked(self) -> Untracked:
        """The files of the project that git does not have."""
        for kind in (ASSETS, UNTRACKED):
            self.note(kind)
        _note_content(self.noted, self._inputs, CONFIGURATION_NAME)  # it names files that something restores
        found = self._project.untracked()
        if found.failure:  # git may be mended without any change of the project
            self.note(UNTRACKED, found.failure, RACY)
        return found

    @property
    def storage(self) -> Storage:
        """How git stores the files of the project, of the disk alone."""
        return self.shared(View._find_storage)

    def _find_storage(self) -> Storage:
        self.note(UNTRACKED)
        return self._project.storage()

    def ignore_rules(self, paths: Sequence[str]) -> dict[str, str]:
        """Return git's rules that ignore files, by path."""
        self.note(UNTRACKED)
        return self._project.ignore_rules(paths)

    @property
    def packages(self) -> PackageView:
        """The packages outside the project."""
        self.note(PACKAGES)
        return self._project.packages

    @property
    def resolver(self) -> Resolver:
        """A resolver of references that records the files it reads."""
        if self._resolver is None:
            for kind in (ASSETS, ALONE, UNSEEN, PACKAGES):
                self.note(kind)
            packages = read_list(self._project.folder)
            if packages.problems or any(not row.folder for row in packages.rows):
                self.note(HISTORY)  # a missing GUID may be in a package, or be lost
            self._resolver = _NotingResolver(self._project.resolver, self._inputs, self.noted)
        return self._resolver

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, None if it cannot be read.

        Args:
            path: relative to the project, or absolute.

        Raises:
            ScanError: it cannot be read now.
        """
        content, data = _note_content(self.noted, self._inputs, path)
        if data is None:
            data = self._project.read(path)
            if data is not None and len(data) <= contents.LARGEST and content_of_bytes(data) != content:
                self._distrust(path)
        return data

    def _distrust(self, path: str) -> None:
        self.noted[CONTENT, self._inputs.own_path(path)] = RACY

    def names_in(self, folder: str) -> list[str]:
        """Return the sorted names in a folder, absent or not.

        Raises:
            ScanError: it cannot be listed just now.
        """
        content, _ = _note_content(self.noted, self._inputs, folder)
        names = self._project.names_in(folder)
        if names and content_of_names(names) != content:
            self._distrust(folder)
        return names

    def exists(self, path: str) -> bool:
        """Whether a file or folder is there."""
        self.note(EXISTENCE, self._inputs.own_path(path))
        return self._project.exists(path)

    @property
    def team_rules(self) -> tuple[TeamRule, ...]:
        """The rules of the team in the project's settings."""
        _note_content(self.noted, self._inputs, CONFIGURATION_NAME)
        return read_configuration(self._project.root).rule

    def size(self, path: str) -> int:
        """Return a file's size in bytes, 0 if it is absent."""
        self.note(IDENTITY, self._inputs.own_path(path))
        return self._project.size(path)

    def shared(self, function: Callable[[View], _Answer]) -> _Answer:
        """Return an answer that several functions need, derived once for a question."""
        known = self._inputs.shared.get(function)
        if known is None:
            view = View(self._inputs, records=self._records)
            known = self._inputs.shared[function] = function(view), view.noted
        if function not in self._shares:  # rules ask thousands of times; of all C# files it took half of a check
            self._shares.add(function)
            self.inherit(known[1])
        return cast("_Answer", known[0])

    def part(
        self,
        key: str,
        version: str,
        function: Callable[[View], _Answer],
        codec: tuple[Callable[[_Answer], bytes], Callable[[bytes], _Answer]],
    ) -> _Answer:
        """Return a part of an answer, kept by itself.

        Args:
            key: of the part, which no other answer has.
            version: of the function; within one version of assetdb it never changes.
            function: given a view of the project, its only access to it.
            codec: writes the part as bytes and reads it; raises ValueError for what cannot be written or read.
        """
        if self._inputs.derive is None:
            view = View(self._inputs, records=self._records)
            found, noted = function(view), view.noted
        else:
            found, noted = self._inputs.derive(self._inputs, key, version, function, codec)
        self.inherit(noted)
        return found

    def head(self, path: str, count: int) -> bytes:
        """Return a file's first bytes, ``b""`` if it cannot be read.

        Its identity is the input: nobody reads megabytes of a texture for its size.

        Raises:
            ScanError: it cannot be read now.
        """
        self.note(IDENTITY, self._inputs.own_path(path))
        return self._project.read_head(path, count) or b""

    def facts(self, path: str, extraction: Extraction[_Facts]) -> _Facts:
        """Return the facts of a file, which is read if it changed."""
        relative = self._inputs.own_path(path)
        origin, facts = self._inputs.facts_of(extraction, relative)
        if not extraction.is_compared:
            _note_content(self.noted, self._inputs, relative)
        kind = extraction.name if extraction.is_compared else CONTENT
        if origin == RACY or (kind, relative) not in self.noted:
            self.noted[kind, relative] = origin
        return facts


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0]


class _NotingResolver(Resolver):
    """A resolver with a shared cache that records the used files."""

    def __init__(self, shared: Resolver, inputs: Inputs, noted: dict[Input, Value]) -> None:
        super().__init__(shared.root, None)
        self._shared = shared
        self._inputs = inputs
        self._noted = noted  # not the view: a reference cycle would keep everything until garbage collection

    def locate(self, guid: str) -> Location | None:
        found = self._shared.locate(guid)
        if found is not None and found.file:
            _note_content(self._noted, self._inputs, f"{found.file}.meta")
            if is_named_unread(os.fsencode(found.file)):  # a texture may be large
                relative = self._inputs.own_path(found.file)
                self._noted.setdefault((EXISTENCE, relative), self._inputs.value(EXISTENCE, relative))
            else:
                _note_content(self._noted, self._inputs, found.file)
        return found

    def absence(self, guid: str, file_id: int | None) -> str:
        return self._shared.absence(guid, file_id)

    def content(self, guid: str) -> Content:
        found = self.locate(guid)
        if found is not None and found.file:
            _note_content(self._noted, self._inputs, found.file)
        return self._shared.content(guid)


def _note_content(noted: dict[Input, Value], inputs: Inputs, path: str) -> tuple[Value, bytes | None]:
    """Record and return a file's content, with bytes if just read."""
    relative = inputs.own_path(path)
    known = noted.get((CONTENT, relative))
    if known is not None:
        return known, None
    found = inputs.content(relative)
    noted[CONTENT, relative] = found[0]
    return found
