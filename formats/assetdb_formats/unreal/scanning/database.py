"""The database of a folder: dependencies both ways, in columns.

Every package that is there or is named has a number; dependencies are one array of numbers and one of bits, sorted by
the package that has them, so that 100,000 packages take tens of megabytes and are saved and loaded as they are.
Names are compared without case, as the engine does.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.scanning.mounts import external_owner
from assetdb_formats.unreal.scanning.records import (
    DAMAGED,
    EXTERNAL,
    EXTERNAL_ACTOR,
    HARD,
    IN_GAME,
    KINDS,
    MAP,
    NAMES_ITSELF,
    REDIRECTOR,
    PackageRecord,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

ALL_KINDS: Final = sum(KINDS.values())


class ScannedPackage(NamedTuple):
    """A record and its file, relative to the scanned folder."""

    name: str
    file: str
    modified: int
    size: int
    record: PackageRecord


class Dependency(NamedTuple):
    """One end of a dependency: ``kinds`` are bits of :mod:`assetdb_formats.unreal.scanning.records`.

    ``present`` is whether the package was found in the scanned folder; ``via`` is the redirector that led to it: the
    first by name, and none where the package is named directly too.
    """

    name: str
    kinds: int
    present: bool
    via: str = ""

    @property
    def words(self) -> list[str]:
        """The kinds in words."""
        found = [word for word, bit in KINDS.items() if self.kinds & bit]
        return found if self.kinds & IN_GAME else [*found, "editor-only"]


class Columns(NamedTuple):
    """Parallel columns; the first ``len(files)`` names are present."""

    names: list[str]
    files: list[str]
    classes: list[str]
    flags: array[int]
    modified: array[int]
    sizes: array[int]
    starts: array[int]
    targets: array[int]
    kinds: bytes
    redirects: array[int]  # where a redirector leads, by package; -1 for none
    searchable: dict[int, list[tuple[str, str]]]
    errors: dict[int, str]


class AssetDatabase:
    """Queries on the packages of one folder."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self._incoming: tuple[array[int], array[int]] | None = None

    def __len__(self) -> int:
        return len(self.columns.files)

    @property
    def names(self) -> list[str]:
        """The names of all packages that are there, in order of name."""
        return self.columns.names[: len(self.columns.files)]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        # Made at the first query: an unchanged rescan that only saves or counts does without.
        return {name.lower(): number for number, name in enumerate(self.columns.names)}

    @cached_property
    def _file_numbers(self) -> dict[str, int]:
        # A configuration names thousands of packages that are not here: each went through all files.
        return {file.lower(): number for number, file in reversed([*enumerate(self.columns.files)])}

    @cached_property
    def _sorted(self) -> list[tuple[str, int]]:
        # A configuration names many folders: each went through all packages, 13 ms for 100,000.
        return sorted((name.lower(), number) for number, name in enumerate(self.names))

    def below(self, folder: str, classes: Collection[str] = ()) -> list[int]:
        """Return packages in a folder such as ``/Game/UI``.

        ``classes`` are in lower case; without any, all packages in it count.
        """
        start = f"{folder.lower()}/"
        found = []
        for place in range(bisect_left(self._sorted, (start, 0)), len(self._sorted)):
            name, number = self._sorted[place]
            if not name.startswith(start):
                break
            if not classes or self.columns.classes[number].lower() in classes:
                found.append(number)
        return found

    def number(self, name: str) -> int:
        """Return the number of a package, object path or file; -1."""
        plain = name.replace("\\", "/").lower()
        found = self._numbers.get(plain)
        if found is None:
            found = self._numbers.get(plain.partition(".")[0])
        if found is None:
            found = self._file_numbers.get(plain, -1)
        return found

    def is_present(self, number: int) -> bool:
        """Whether the package was found in the folder (others are only named)."""
        return 0 <= number < len(self.columns.files)

    def record(self, number: int) -> PackageRecord:
        """Return the record that a present package was built from."""
        columns = self.columns
        redirect = columns.redirects[number]
        return PackageRecord(
            columns.names[number] if columns.flags[number] & NAMES_ITSELF else "",
            columns.classes[number],
            columns.flags[number] & ~EXTERNAL_ACTOR,
            [
                (columns.names[target], bits & ~EXTERNAL)
                for target, bits in self._edges(number)
                if bits & ~(EXTERNAL | IN_GAME)
            ],
            columns.searchable.get(number, []),
            columns.names[redirect] if redirect >= 0 else "",
            columns.errors.get(number, ""),
        )

    def _edges(self, number: int) -> Iterator[tuple[int, int]]:
        columns = self.columns
        if not self.is_present(number):
            return
        for place in range(columns.starts[number], columns.starts[number + 1]):
            yield columns.targets[place], columns.kinds[place]

    def resolve(self, number: int) -> int:
        """Follow redirectors from a package to the last target.

        Redirectors that lead to each other all stand for the first of them.
        """
        redirects = self.columns.redirects
        seen = {number: None}
        while number < len(redirects) and redirects[number] >= 0:
            number = redirects[number]
            if number in seen:
                way = list(seen)
                return min(way[way.index(number) :])
            seen[number] = None
        return number

    def dependencies(self, number: int, kinds: int = ALL_KINDS, *, native: bool = False) -> list[Dependency]:
        """Return dependencies by name, through redirectors.

        ``native`` adds the engine's modules (``/Script/...``).
        """
        names = self.columns.names
        found: dict[int, tuple[int, str]] = {}
        for target, bits in self._edges(number):
            if not bits & kinds or (not native and names[target].startswith("/Script/")):
                continue
            last = self.resolve(target)
            if last == number:
                continue
            via = names[target] if last != target else ""
            before, other = found.get(last, (0, via))
            found[last] = before | bits, min(via, other)
        return sorted(
            Dependency(names[target], bits, self.is_present(target), via) for target, (bits, via) in found.items()
        )

    def referencers(self, number: int, kinds: int = ALL_KINDS) -> list[Dependency]:
        """Return a package's dependents, also through redirectors, in name order."""
        names = self.columns.names
        found: dict[int, tuple[int, str]] = {}
        waiting = [(number, "")]
        seen = {number}
        while waiting:
            target, via = waiting.pop()
            for source, bits in self._incoming_edges(target):
                if self.is_present(source) and self.columns.flags[source] & REDIRECTOR:
                    if self.resolve(source) == self.resolve(number) and source not in seen:
                        seen.add(source)
                        waiting.append((source, names[source]))
                elif bits & kinds and source != number:
                    before, other = found.get(source, (0, via))
                    found[source] = before | bits, min(via, other)
        return sorted(Dependency(names[source], bits, present=True, via=via) for source, (bits, via) in found.items())

    def _incoming_edges(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield (source, kinds) of incoming edges, reversed on first use."""
        if self._incoming is None:
            self._incoming = self._reverse()
        starts, places = self._incoming
        columns = self.columns
        for place in places[starts[number] : starts[number + 1]]:
            yield bisect_right(columns.starts, place) - 1, columns.kinds[place]

    def _reverse(self) -> tuple[array[int], array[int]]:
        columns = self.columns
        count = len(columns.names)
        starts = array("I", bytes(4 * (count + 1)))
        for target in columns.targets:
            starts[target + 1] += 1
        for number in range(count):
            starts[number + 1] += starts[number]
        places = array("I", bytes(4 * len(columns.targets)))
        following = starts[:]
        for place, target in enumerate(columns.targets):
            places[following[target]] = place
            following[target] += 1
        return starts, places

    def missing(self) -> list[tuple[str, list[str]]]:
        """Return missing packages of scanned mounts, each with a dependent."""
        columns = self.columns
        mounts = {name.split("/", 2)[1].lower() for name in self.names if name.count("/") > 1}
        found = []
        for number in range(len(columns.files), len(columns.names)):
            name = columns.names[number]
            parts = name.split("/", 2)
            if len(parts) < 3 or parts[1].lower() not in mounts:
                continue
            # A name in a name table is no proof that the package ever was.
            who = {source for source, bits in self._incoming_edges(number) if bits & ~(IN_GAME | KINDS["named"])}
            if who:
                found.append((name, sorted(columns.names[source] for source in who)))
        return sorted(found)

    def cycles(self, kinds: int = HARD) -> list[list[str]]:
        """Return groups of packages that need each other (Tarjan)."""
        count = len(self)
        order = [-1] * count
        low = [0] * count
        on_stack = bytearray(count)
        stack: list[int] = []
        groups: list[list[str]] = []
        counter = 0
        for root in range(count):
            if order[root] >= 0:
                continue
            work = [(root, self._successors(root, kinds))]
            order[root] = low[root] = counter
            counter += 1
            stack.append(root)
            on_stack[root] = 1
            while work:
                number, successors = work[-1]
                for target in successors:
                    if order[target] < 0:
                        order[target] = low[target] = counter
                        counter += 1
                        stack.append(target)
                        on_stack[target] = 1
                        work.append((target, self._successors(target, kinds)))
                        break
                    if on_stack[target]:
                        low[number] = min(low[number], order[target])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[number])
                    if low[number] == order[number]:
                        group = []
                        while True:
                            member = stack.pop()
                            on_stack[member] = 0
                            group.append(member)
                            if member == number:
                                break
                        if len(group) > 1:
                            groups.append(sorted(self.columns.names[member] for member in group))
        return sorted(groups)

    def _successors(self, number: int, kinds: int) -> Iterator[int]:
        return iter([target for target, bits in self._edges(number) if bits & kinds and self.is_present(target)])

    def unused(self, roots: Iterable[int] = (), *, reachable: bool = False) -> list[int]:
        """Return the packages that nothing uses.

        Maps, external actors and ``roots`` are used. By default a package is used when any other one refers to it, in
        whatever way (a redirector that nothing refers to does not count); with ``reachable``, when it can be reached
        from what is used.
        """
        flags = self.columns.flags
        count = len(self)
        used = bytearray(count)
        certain = [number for number in range(count) if flags[number] & (MAP | EXTERNAL_ACTOR)]
        for number in roots:
            certain += {number, self.resolve(number)}
        for number in certain:
            if self.is_present(number):
                used[number] = 1
        if not reachable:
            for number in range(count):
                if not flags[number] & REDIRECTOR:
                    for target, _ in self._edges(number):
                        if target < count and target != number:
                            used[target] = 1
        # From what is used on: through everything, or only through the redirectors among it.
        waiting = [number for number in range(count) if used[number] and (reachable or flags[number] & REDIRECTOR)]
        while waiting:
            for target, _ in self._edges(waiting.pop()):
                if target < count and not used[target]:
                    used[target] = 1
                    if reachable or flags[target] & REDIRECTOR:
                        waiting.append(target)
        return [number for number in range(count) if not used[number]]


def build(packages: Iterable[ScannedPackage]) -> tuple[AssetDatabase, list[str]]:
    """Build a database; packages may come in any order.

    Returns:
        The database, and a sentence for every package name that two files claim (the first file by name keeps it).
    """
    ordered = sorted(packages, key=lambda package: (package.name.lower(), package.file))
    kept: list[ScannedPackage] = []
    conflicts: list[str] = []
    numbers: dict[str, int] = {}
    for package in ordered:
        key = package.name.lower()
        if key in numbers:
            conflicts.append(f"{package.file} is {package.name}, as is {kept[numbers[key]].file}")
            continue
        numbers[key] = len(kept)
        kept.append(package)
    names = [package.name for package in kept]
    count = len(kept)
    flags, starts, targets = array("B"), array("I", [0]), array("I")
    modified, sizes = array("Q"), array("Q")
    redirects = array("i", [-1]) * count
    kinds = bytearray()
    searchable: dict[int, list[tuple[str, str]]] = {}
    errors: dict[int, str] = {}
    actors: dict[int, list[int]] = {}
    owners: dict[int, int] = {}

    seen: dict[str, int] = {}  # numbers of names, by exact spelling: most names come again and again

    def number_of(name: str) -> int:
        found = seen.get(name)
        if found is None:
            key = name.lower()
            found = numbers.get(key)
            if found is None:
                found = numbers[key] = len(names)
                names.append(name)
            seen[name] = found
        return found

    for number, package in enumerate(kept):
        owner = external_owner(package.name)
        if owner:
            owners[number] = number_of(owner)
            actors.setdefault(owners[number], []).append(number)
    for number, package in enumerate(kept):
        record = package.record
        own = record.flags | (EXTERNAL_ACTOR if number in owners else 0)
        if package.file.lower().endswith(".umap"):
            own |= MAP
        edges: dict[int, int] = {}
        for name, bits in record.dependencies:
            target = number_of(name)
            if target != number:
                edges[target] = edges.get(target, 0) | bits
        for target in actors.get(number, ()):
            edges[target] = edges.get(target, 0) | EXTERNAL | IN_GAME
        targets.extend(edges)
        kinds += bytes(edges.values())
        starts.append(len(targets))
        flags.append(own)
        modified.append(package.modified)
        sizes.append(package.size)
        if record.redirects_to:
            redirects[number] = number_of(record.redirects_to)
        if record.searchable:
            searchable[number] = record.searchable
        if record.flags & DAMAGED:
            errors[number] = record.error
    columns = Columns(
        names,
        [package.file for package in kept],
        [package.record.class_name for package in kept],
        flags,
        modified,
        sizes,
        starts,
        targets,
        bytes(kinds),
        redirects,
        searchable,
        errors,
    )
    return AssetDatabase(columns), conflicts
