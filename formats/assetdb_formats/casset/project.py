"""A project's bundles: the engine's registry, and references between them.

Nothing here opens a file; :func:`assetdb_formats.casset.files.scan` makes a :class:`Project` of a folder.
"""

from __future__ import annotations

import enum
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.identity import fixed_name, predicted_uuid, uuid_text
from assetdb_formats.casset.queries.references import Use, bundle_references
from assetdb_formats.processes import tracked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from assetdb_formats.casset.model import Bundle, BundleIndex
    from assetdb_formats.processes import Progress


class Verdict(enum.Enum):
    """The verdicts on references and declared dependencies.

    The first four are of references. The value is for people.
    """

    RESOLVED = "resolved"
    MISSING_BUNDLE = "missing bundle"
    MISSING_OBJECT = "missing object"
    TRANSIENT = "transient"
    """The bundle's own ``outer``: a bundle in the memory of the engine that wrote the file. Never an error."""
    UNDECLARED = "undeclared"
    """Referred to, but not in the declared list."""
    DUPLICATE = "duplicate declared"
    STALE = "stale declared"
    """In the declared list, but nothing refers to it."""


MISSING: Final = (Verdict.MISSING_BUNDLE, Verdict.MISSING_OBJECT)
"""The verdicts that are findings."""


class Entry(NamedTuple):
    """A bundle of the project, with its logical path and index."""

    path: str
    file: str
    contents: BundleIndex


class Edge(NamedTuple):
    """A reference, its verdict, and its target in the project, if any."""

    use: Use
    verdict: Verdict
    target: Entry | None


class Declared(NamedTuple):
    """A fault of a bundle's declared list, with the times declared."""

    verdict: Verdict
    bundle: bytes
    times: int


class Report(NamedTuple):
    """A bundle's references, and the faults of its declared list."""

    edges: tuple[Edge, ...]
    declared: tuple[Declared, ...]

    @property
    def bundles(self) -> dict[bytes, Verdict]:
        """Other bundles referred to, and the worst verdict of each."""
        found: dict[bytes, Verdict] = {}
        for edge in self.edges:
            before = found.get(edge.use.bundle, Verdict.RESOLVED)
            found[edge.use.bundle] = edge.verdict if before is Verdict.RESOLVED else before
        return found


class Project:
    """A registry of bundles by UUID, path, class and source asset.

    Attributes:
        entries: every readable bundle.
        unreadable: why the other files are not among them.
        by_uuid: the bundles with a UUID; more than one where files were copied, which the engine does not tell apart.
        by_path: the bundle at a logical path.
        by_class: the bundles whose primary object is of a class (full type name).
        by_source: the bundle made from a source asset (logical path, such as ``/Game/Assets/X.png``).
    """

    def __init__(
        self, entries: Iterable[Entry], unreadable: Iterable[CassetError] = (), engine_paths: Iterable[str] = ()
    ) -> None:
        """Index ``entries``.

        ``engine_paths`` are logical paths of ``/Engine`` that may have no bundle yet.
        """
        self.entries = tuple(entries)
        self.unreadable = tuple(unreadable)
        self.by_uuid: dict[bytes, list[Entry]] = {}
        self.by_path: dict[str, Entry] = {}
        self.by_class: dict[str, list[Entry]] = {}
        self.by_source: dict[str, Entry] = {}
        self._engine_paths = engine_paths
        self._objects: dict[bytes, dict[bytes, str]] = {}
        self._predicted: dict[bytes, str] | None = None
        self._own: tuple[Bundle, frozenset[bytes]] | None = None
        for entry in self.entries:
            self.by_uuid.setdefault(entry.contents.uuid, []).append(entry)
            self.by_path[entry.path] = entry
            primary = entry.contents.primary
            if primary is not None:
                self.by_class.setdefault(primary.class_name, []).append(entry)
            if entry.contents.source:
                self.by_source[f"{entry.path.rpartition('/')[0]}/{entry.contents.source}"] = entry

    @property
    def duplicates(self) -> dict[bytes, list[Entry]]:
        """The UUIDs that more than one bundle has."""
        return {uuid: entries for uuid, entries in self.by_uuid.items() if len(entries) > 1}

    def predicted_path(self, bundle: bytes) -> str | None:
        """Return the logical path of the engine asset with a UUID.

        None where no known path has it by the rule of :func:`predicted_uuid`.

        Known are the paths of the source assets and of the bundles of ``/Engine`` and ``/Editor`` that were scanned.
        """
        if self._predicted is None:
            self._predicted = {}
            for path in self._engine_paths:
                folder, _, name = path.rpartition("/")
                for candidate in (path, f"{folder}/{fixed_name(name)}"):
                    self._predicted[predicted_uuid(candidate)] = candidate
        return self._predicted.get(bundle)

    def name_of(self, bundle: bytes) -> str:
        """Return a bundle's logical path, known or predicted, else its UUID."""
        entries = self.by_uuid.get(bundle)
        if entries:
            return entries[0].path
        predicted = self.predicted_path(bundle)
        return f"{predicted} (by its id; no such bundle)" if predicted else uuid_text(bundle)

    def object_path(self, bundle: bytes, found: bytes) -> str | None:
        """Return an object's path in bundles of this UUID, or None."""
        objects = self._objects.get(bundle)
        if objects is None:
            entries = self.by_uuid.get(bundle, ())
            objects = {entry.uuid: entry.path for known in entries for entry in known.contents.objects}
            self._objects[bundle] = objects
        return objects.get(found)

    def verdict(self, use: Use, own: Bundle) -> Verdict:
        """Return the verdict on a reference of the bundle ``own``."""
        if use.bundle == own.uuid:
            if self._own is None or self._own[0] is not own:  # 40,000 objects with an outer each took half a minute
                self._own = own, frozenset(entry.uuid for entry in own.objects)
            return Verdict.RESOLVED if use.object in self._own[1] else Verdict.MISSING_OBJECT
        if use.bundle in self.by_uuid:
            known = self.object_path(use.bundle, use.object) is not None
            return Verdict.RESOLVED if known else Verdict.MISSING_OBJECT
        if use.field == "outer" and use.source is own.objects[0] and use.object == use.bundle:
            return Verdict.TRANSIENT
        return Verdict.MISSING_BUNDLE

    def report(self, bundle: Bundle) -> Report:
        """Return references to other bundles or missing objects, with verdicts.

        References to objects of its own that are missing are among them.

        The declared list is compared with them: without ``transient`` ones, which the engine never declares, and
        without saying what is stale where an object could not be read to its end.
        """
        edges = []
        for use in bundle_references(bundle):
            verdict = self.verdict(use, bundle)
            if use.bundle == bundle.uuid and verdict is Verdict.RESOLVED:
                continue
            targets = self.by_uuid.get(use.bundle)
            edges.append(Edge(use, verdict, targets[0] if targets else None))
        needed = [edge.use.bundle for edge in edges if edge.verdict is not Verdict.TRANSIENT]
        return Report(tuple(edges), tuple(self._declared(bundle, dict.fromkeys(needed))))

    def _declared(self, bundle: Bundle, needed: Mapping[bytes, None]) -> Iterable[Declared]:
        times = Counter(self._uuid_of(dependency) for dependency in bundle.dependencies)
        for uuid in needed:
            if uuid != bundle.uuid and uuid not in times:
                yield Declared(Verdict.UNDECLARED, uuid, 0)
        for uuid, count in times.items():
            if count > 1:
                yield Declared(Verdict.DUPLICATE, uuid, count)
            if uuid not in needed and not bundle.problems:
                yield Declared(Verdict.STALE, uuid, count)

    def _uuid_of(self, dependency: bytes | str) -> bytes:
        """Return a declared dependency's UUID; format 2.0 stores its path."""
        if isinstance(dependency, bytes):
            return dependency
        known = self.by_path.get(dependency)
        return known.contents.uuid if known is not None else dependency.encode("utf-8", "surrogateescape")


class Graph:
    """The graph of references between a project's bundles.

    Attributes:
        reports: the report of each bundle, by logical path.
        unreadable: why bundles that could be indexed could not be read whole.
    """

    def __init__(
        self,
        project: Project,
        load: Callable[[Entry], Bundle],
        *,
        progress: Progress = None,
    ) -> None:
        """Read every bundle of the project whole with ``load``."""
        self.project = project
        self.reports: dict[str, Report] = {}
        self.unreadable: list[CassetError] = []
        self._users: dict[bytes, list[tuple[Entry, Edge]]] = {}
        for entry in tracked(project.entries, progress):
            try:
                report = project.report(load(entry))
            except CassetError as error:
                self.unreadable.append(error)
                continue
            self.reports[entry.path] = report
            for edge in report.edges:
                if edge.use.bundle != entry.contents.uuid:
                    self._users.setdefault(edge.use.bundle, []).append((entry, edge))

    def usages(self, bundle: bytes) -> list[tuple[Entry, Edge]]:
        """Return the references in other bundles to a bundle or object."""
        return self._users.get(bundle, [])

    def unused(self) -> list[Entry]:
        """Return the bundles that no other bundle refers to."""
        return [entry for entry in self.project.entries if entry.contents.uuid not in self._users]
