"""Sizes of a build in rows, or as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.parts.facts import HELD
from assetdb.builds.query.catalogs import group_of_name
from assetdb.builds.query.sizes import OVERHEAD

if TYPE_CHECKING:
    from assetdb.builds.build import Build
    from assetdb.builds.query.catalogs import Catalogs
    from assetdb.builds.query.sizes import Overhead, Sizes

CLASS: Final = "class"
FILE: Final = "file"
BUNDLE: Final = "bundle"
OBJECT: Final = "object"
GROUP: Final = "group"
LABEL: Final = "label"
SCRIPT: Final = "script"
ASSEMBLY: Final = "assembly"
KEYS: Final = (CLASS, FILE, BUNDLE, OBJECT, GROUP, LABEL, SCRIPT, ASSEMBLY)

NO_GROUP: Final = "(no group)"
NO_LABEL: Final = "(no label)"
NO_SCRIPT: Final = "(no script)"


class SizeRow(NamedTuple):
    """Bytes under one name: in files, streamed, and on disk."""

    name: str
    objects: int
    in_file: int
    streamed: int
    disk: int

    @property
    def decoded(self) -> int:
        """Bytes in files and in resource data."""
        return self.in_file + self.streamed


class TreeRow(NamedTuple):
    """A row of a tree: how deep it is, and its bytes."""

    depth: int
    row: SizeRow


class SizeSums:
    """Rows that are being added up."""

    def __init__(self) -> None:
        self.rows: dict[str, list[int]] = {}

    def add(self, name: str, objects: int, in_file: int, streamed: int, disk: int) -> None:
        """Add to the row of a name."""
        row = self.rows.get(name)
        if row is None:
            self.rows[name] = [objects, in_file, streamed, disk]
        else:
            row[0] += objects
            row[1] += in_file
            row[2] += streamed
            row[3] += disk

    def table(self) -> list[SizeRow]:
        """Return the rows, the largest on the disk first."""
        rows = [SizeRow(name, *values) for name, values in self.rows.items()]
        return sorted(rows, key=lambda row: (-row.disk, -row.decoded, row.name))


def size_rows(build: Build, sizes: Sizes, key: str, catalogs: Catalogs | None = None) -> list[SizeRow]:
    """Return the rows under one of :data:`KEYS`, largest on disk first.

    The rows add up to the build, except by ``label``: a bundle counts under each of its labels.
    """
    sums = SizeSums()
    if key in (GROUP, LABEL):
        names = names_of_parts(build, key, catalogs)
        names[-1] = (OVERHEAD,)
        unnamed = (NO_GROUP if key == GROUP else NO_LABEL,)
        for row, part in _by_part(build, sizes):
            for name in names.get(part, unnamed):
                sums.add(name, *row[1:])
        return sums.table()
    for number in range(len(build)):
        sums.add(_name_of(build, key, number), 1, sizes.in_file[number], sizes.streamed[number], sizes.disk[number])
    for rest in sizes.rest:
        sums.add(_name_of_rest(build, key, rest), 0, rest.decoded, 0, rest.disk)
    return sums.table()


def size_tree(build: Build, sizes: Sizes) -> list[TreeRow]:
    """Return parts, files and classes, the largest on disk first."""
    parts: dict[str, SizeSums] = {}
    files: dict[tuple[str, str], SizeSums] = {}
    top = SizeSums()

    def add(part: str, file: str, name: str, row: tuple[int, int, int, int]) -> None:
        top.add(part, *row)
        parts.setdefault(part, SizeSums()).add(file, *row)
        files.setdefault((part, file), SizeSums()).add(name, *row)

    for number in range(len(build)):
        file = build.files[build.file_of(number)]
        row = (1, sizes.in_file[number], sizes.streamed[number], sizes.disk[number])
        add(build.parts[file.part].name, file.facts.name, build.class_name(build.class_ids[number]), row)
    for rest in sizes.rest:
        part = build.parts[rest.part].name if rest.part >= 0 else OVERHEAD
        file_name = build.files[rest.file].facts.name if rest.file >= 0 else rest.what
        add(part, file_name, rest.what, (0, rest.decoded, 0, rest.disk))
    found = []
    for part_row in top.table():
        found.append(TreeRow(0, part_row))
        own = parts[part_row.name].table()
        for file_row in own:
            below = files[part_row.name, file_row.name].table()
            is_part = len(own) == 1 and part_row.name.endswith(file_row.name)  # a file without an archive
            if not is_part:
                found.append(TreeRow(1, file_row))
            if [row.name for row in below] != [file_row.name]:
                found += [TreeRow(1 if is_part else 2, row) for row in below]
    return found


def assembly_tree(build: Build, sizes: Sizes) -> list[TreeRow]:
    """Return assemblies and their scripts, the largest on disk first.

    Objects without a script are below :data:`NO_SCRIPT`, by class.
    """
    top = SizeSums()
    below: dict[str, SizeSums] = {}
    for number in range(len(build)):
        row = (1, sizes.in_file[number], sizes.streamed[number], sizes.disk[number])
        name = _name_of(build, ASSEMBLY, number)
        top.add(name, *row)
        below.setdefault(name, SizeSums()).add(_name_of(build, SCRIPT, number), *row)
    for rest in sizes.rest:
        top.add(rest.what, 0, rest.decoded, 0, rest.disk)
    found = []
    for assembly in top.table():
        found.append(TreeRow(0, assembly))
        if assembly.name in below:
            found += [TreeRow(1, script) for script in below[assembly.name].table()]
    return found


def _name_of(build: Build, key: str, number: int) -> str:
    if key == CLASS:
        return build.class_name(build.class_ids[number])
    if key in (SCRIPT, ASSEMBLY):
        script = build.script(number)
        if key == ASSEMBLY:
            return NO_SCRIPT if script is None else script.assembly
        return build.class_name(build.class_ids[number]) if script is None else script.full_name
    file = build.files[build.file_of(number)]
    if key == FILE:
        return file.name
    if key == BUNDLE:
        return build.parts[file.part].name
    class_name, title = build.class_name(build.class_ids[number]), build.title(number)
    return f"{file.name}#{build.path_ids[number]} {class_name} {title}".rstrip()


def _name_of_rest(build: Build, key: str, rest: Overhead) -> str:
    if key == FILE and rest.file >= 0:
        return build.files[rest.file].name
    if key == FILE and rest.part >= 0 and rest.what == OVERHEAD:  # no file of that bundle has them
        return f"{build.parts[rest.part].name} {OVERHEAD}"
    if key in (FILE, BUNDLE) and rest.part >= 0:
        return build.parts[rest.part].name
    return rest.what


def _by_part(build: Build, sizes: Sizes) -> list[tuple[SizeRow, int]]:
    """Return the bytes of each part by number, -1 for no part."""
    sums = SizeSums()  # its names are the numbers as text
    for number in range(len(build)):
        row = (1, sizes.in_file[number], sizes.streamed[number], sizes.disk[number])
        sums.add(str(build.part_of(number)), *row)
    for rest in sizes.rest:
        sums.add(str(rest.part), 0, rest.decoded, 0, rest.disk)
    return [(row, int(row.name)) for row in sums.table()]


def names_of_parts(build: Build, key: str, catalogs: Catalogs | None) -> dict[int, tuple[str, ...]]:
    """Return the group or labels of each part that has any."""
    found: dict[int, tuple[str, ...]] = {}
    for number, part in enumerate(build.parts):
        if part.kind not in HELD:
            found[number] = (f"({part.kind})",)
        elif key == GROUP and (group := group_of_name(part.name)):
            found[number] = (group,)
    for bundle in catalogs.bundles if catalogs is not None else ():
        if bundle.part is None:
            continue
        if key == GROUP and bundle.group:
            found[bundle.part] = (bundle.group,)
        elif key == LABEL and bundle.labels:  # another catalog may give the bundle other labels
            found[bundle.part] = tuple(dict.fromkeys((*found.get(bundle.part, ()), *bundle.labels)))
    return found
