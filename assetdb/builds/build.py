"""A build: its files, objects and references in one table.

Objects are numbers from 0 on, in the order of parts, files and object tables; their facts are in columns, so that a
million of them need no objects. Everything that joins files is computed on demand.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.parts.content import ContentNames
from assetdb.builds.parts.naming import FileNames, folder_of
from assetdb.builds.parts.scenes import BUNDLED, scene_in_bundle, scene_in_player
from assetdb.unity.engine.classes import class_name
from assetdb_formats.unityfs.serialized_files.player import MONO_SCRIPT, Script
from assetdb_formats.unityfs.serialized_files.serialized import MONO_BEHAVIOUR

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from assetdb.builds.parts.content import PartContent
    from assetdb.builds.parts.facts import FileFacts, PartFacts, PlayerFacts
    from assetdb.builds.parts.finding import Package, Part

GAME_OBJECT: Final = 1
TRANSFORMS: Final = frozenset((4, 224))
_BUILTIN: Final = ("library/", "resources/")

MANY_COMPONENTS: Final = 32
"""Number of references of a GameObject above which they are cached as a set: most have fewer than ten."""

MISSING_FILE: Final = -1
"""Instead of the number of an object whose file the build lacks."""
MISSING_OBJECT: Final = -2
"""Instead of the number of an object that its file lacks."""
NOT_DECLARED: Final = -3
"""Instead of the number of an object in a file that is not declared."""


class BuildFile(NamedTuple):
    """A file of a build: a SerializedFile, or resource data.

    Attributes:
        number: its index among the build's files.
        part: index of the part that has it.
        name: for people: the part's name, followed by the name in the bundle.
        first: number of its first object.
    """

    number: int
    part: int
    name: str
    facts: FileFacts
    first: int

    @property
    def numbers(self) -> range:
        """The numbers of its objects."""
        return range(self.first, self.first + self.facts.objects)


class BuildObject(NamedTuple):
    """An object of a build.

    Attributes:
        number: its index in the build.
        file: index of its file.
        class_name: its name, or the number if it has none.
        name: ``m_Name``; ``""`` if it has none.
        size: bytes in its file.
        streamed: bytes in resource data.
        container: the paths that scripts load it by.
        script: the class of a MonoBehaviour or MonoScript.
    """

    number: int
    file: int
    path_id: int
    class_id: int
    class_name: str
    name: str
    size: int
    streamed: int
    container: tuple[str, ...]
    script: Script | None


class Reference(NamedTuple):
    """A reference of an object.

    Attributes:
        target: number of the object, or :data:`MISSING_FILE`, :data:`MISSING_OBJECT`, :data:`NOT_DECLARED`.
        file: name of the target's file in the referring file; ``""`` for that file itself.
    """

    target: int
    file: str
    path_id: int


class StreamedData(NamedTuple):
    """Bytes of an object in resource data.

    Attributes:
        path: as in the object.
        file: index of the file that has them, or None.
        is_inside: whether the file is long enough.
    """

    object: int
    path: str
    file: int | None
    offset: int
    size: int
    is_inside: bool


class ExternalFile(NamedTuple):
    """A declared file: the file of the build, or None."""

    path: str
    file: int | None
    builtin: bool


class Build:
    """The joined tables of a build; see :func:`assetdb.builds.open_build`.

    An object is a number, its facts are in columns under that number, and references are pairs of such numbers, as far
    as the build has the file that a reference leads to.

    >>> from assetdb.builds import open_build
    >>> build = open_build("Bundles")
    >>> number = next(found.number for found in build.objects() if found.name == "Mat")
    >>> build.class_name(build.class_ids[number]), build.sizes[number], build.containers[number]
    ('Material', 36, ('assets/mat.mat',))
    >>> [build.title(found.target) for found in build.references(number) if found.target >= 0]
    ['Deep']

    Attributes:
        parts: its files on disk or in archives, sorted by name.
        problems: unreadable parts, one sentence each.
        files: the files in the parts.
        contents: layouts and manifests of content directories.
        path_ids, class_ids, sizes: a column each, of all objects.
    """

    def __init__(
        self,
        paths: Sequence[str],
        parts: Sequence[Part],
        facts: Sequence[PartFacts],
        packages: Sequence[Package] = (),
        problems: Sequence[str] = (),
        contents: Sequence[PartContent] = (),
    ) -> None:
        """Join the facts of the parts."""
        self.contents = tuple(contents)
        self.content_names = ContentNames(contents)
        self.paths = tuple(paths)
        self.parts = tuple(parts)
        self.facts = tuple(facts)
        self.packages = tuple(packages)
        self.problems = (
            *problems,
            *(f"{part.name}: {what}" for part, known in zip(parts, facts, strict=True) for what in known.problems),
        )
        self.path_ids = array("q")
        self.class_ids = array("i")
        self.sizes = array("q")
        self._types = array("i")
        self._names: list[str] = []
        files: list[BuildFile] = []
        self._part_first = array("q", [0])
        self._part_file = array("q", [0])
        for number, known in enumerate(self.facts):
            first = len(self.path_ids)
            for file in known.files:
                name = self.parts[number].name
                shown = name if known.archive is None else f"{name}/{file.name}"
                files.append(BuildFile(len(files), number, shown, file, first))
                first += file.objects
            self.path_ids += known.path_ids
            self.class_ids += known.class_ids
            self.sizes += known.sizes
            self._types += known.types
            self._names += known.names
            self._part_first.append(len(self.path_ids))
            self._part_file.append(len(files))
        self.files = tuple(files)
        self._starts = [file.first for file in files if file.facts.objects]
        self._holders = [file.number for file in files if file.facts.objects]
        self._script_of_type: dict[tuple[int, int], Script | None] = {}
        self._many_referred: dict[int, frozenset[int]] = {}
        self._place_tables: dict[int, dict[int, int]] = {}

    def __len__(self) -> int:
        """Return how many objects there are."""
        return len(self.path_ids)

    def prepare(self) -> None:
        """Make the tables now that are otherwise made when they are asked."""
        _ = self.streamed, self.containers, self.scripts, self.names, self._dependents, self.scenes

    # --- objects ---------------------------------------------------------------------------------------------------

    def file_of(self, number: int) -> int:
        """Return the number of an object's file."""
        return self._holders[bisect_right(self._starts, number) - 1]

    def part_of(self, number: int) -> int:
        """Return the number of an object's part."""
        return self.files[self.file_of(number)].part

    def place(self, number: int) -> tuple[int, int]:
        """Return an object's part, and its offset in the decoded data."""
        file = self.files[self.file_of(number)]
        offsets = self.facts[file.part].offsets
        return file.part, file.facts.offset + offsets[number - self._part_first[file.part]]

    def name(self, number: int) -> str:
        """Return ``m_Name`` of an object."""
        return self._names[number]

    def object(self, number: int) -> BuildObject:
        """Return the facts of an object."""
        class_id = self.class_ids[number]
        return BuildObject(
            number,
            self.file_of(number),
            self.path_ids[number],
            class_id,
            self.class_name(class_id),
            self._names[number],
            self.sizes[number],
            self.streamed[number],
            self.containers.get(number, ()),
            self.script(number),
        )

    def objects(self, numbers: Sequence[int] | None = None) -> Iterator[BuildObject]:
        """Yield all objects, or some."""
        return map(self.object, range(len(self)) if numbers is None else numbers)

    def class_name(self, class_id: int) -> str:
        """Return Unity's name of a class number, or the number."""
        return class_name(class_id) or str(class_id)

    def title(self, number: int) -> str:
        """Return the name of an object, its script or its GameObject."""
        name = self._names[number]
        if name:
            return name
        script = self.script(number)
        if script is not None:
            return script.full_name
        owner = self.game_object(number)
        return "" if owner is None else self._names[owner]

    def bytes_of(self, number: int) -> int:
        """Return the bytes of an object in files and resource data."""
        return self.sizes[number] + self.streamed[number]

    def file_label(self, number: int) -> str:
        """Return the name of an object's file for people."""
        return self.files[self.file_of(number)].name

    @cached_property
    def streamed(self) -> array[int]:
        """Bytes of each object in resource data."""
        found = array("q", bytes(8 * len(self)))
        for base, known in zip(self._part_first, self.facts, strict=False):
            for stream in known.streams:
                found[base + stream.object] += stream.size
        return found

    @cached_property
    def containers(self) -> dict[int, tuple[str, ...]]:
        """Object -> the paths that scripts load it by."""
        paths: dict[int, list[str]] = {}
        for part, known in enumerate(self.facts):
            base = self._part_first[part]
            for place, path in known.contained:
                paths.setdefault(base + place, []).append(path)
            for file, file_id, path_id, path in known.container_pointers:
                target = self._target(self._part_file[part] + file, file_id, path_id) if path_id else MISSING_OBJECT
                if target >= 0:
                    paths.setdefault(target, []).append(path)
        return {number: tuple(known) for number, known in paths.items()}

    @cached_property
    def scene_paths(self) -> tuple[tuple[int, str], ...]:
        """The part and the path of each scene in a bundle."""
        return tuple(
            (part, path)
            for part, known in enumerate(self.facts)
            for _, _, path_id, path in known.container_pointers
            if not path_id
        )

    @cached_property
    def scenes(self) -> tuple[str, ...]:
        """The scene's path, or its file's name, by file; else ``""``."""
        paths: dict[int, list[str]] = {}
        for part, path in self.scene_paths:
            paths.setdefault(part, []).append(path)
        found = []
        for file in self.files:
            player, archive = self.player_of(file.part), self.facts[file.part].archive
            name = file.facts.name if file.facts.serialized else ""
            scene = scene_in_player(name, player.scenes if player is not None else ())
            if not scene and (name.startswith(BUNDLED) or (name and archive is not None and archive.scenes)):
                scene = scene_in_bundle(name, paths.get(file.part, ()))
            found.append(scene or self.content_names.scene(name))
        return tuple(found)

    # --- scripts and GameObjects -----------------------------------------------------------------------------------

    @cached_property
    def scripts(self) -> dict[int, Script]:
        """The class of every MonoScript, by object."""
        return {
            base + item.object: Script(item.assembly, item.namespace, item.name)
            for base, known in zip(self._part_first, self.facts, strict=False)
            for item in known.scripts
        }

    def script(self, number: int) -> Script | None:
        """Return the class of a script or MonoBehaviour, or None."""
        class_id = self.class_ids[number]
        if class_id == MONO_SCRIPT:
            return self.scripts.get(number)
        if class_id != MONO_BEHAVIOUR and class_id >= 0:
            return None
        file = self.file_of(number)
        key = (file, self._types[number])
        if key not in self._script_of_type:
            self._script_of_type[key] = self.type_script(file, self._types[number])
        return self._script_of_type[key]

    def type_script(self, file: int, place: int) -> Script | None:
        """Return the script class of a type of a file, if known."""
        target = self._type_target(file, place)
        return self.scripts.get(target) if target is not None else None

    def script_object(self, number: int) -> int | None:
        """Return the MonoScript of a MonoBehaviour, if the build has it."""
        return self._type_target(self.file_of(number), self._types[number])

    def _type_target(self, file: int, place: int) -> int | None:
        types = self.files[file].facts.types
        if not 0 <= place < len(types) or not types[place][2]:
            return None
        target = self._target(file, types[place][1], types[place][2])
        return target if target >= 0 else None

    def game_object(self, number: int) -> int | None:
        """Return the GameObject of a component, or None if unknown.

        A component's first reference is its GameObject, which refers to it; a NetworkManager's is a prefab.
        """
        place = self.reference_starts[number]
        if place == self.reference_starts[number + 1]:
            return None
        files, ids = self._reference_columns
        owner = self._target(self.file_of(number), files[place], ids[place])
        if owner < 0 or self.class_ids[owner] != GAME_OBJECT:
            return None
        return owner if number in self._referred(owner) else None

    def _referred(self, owner: int) -> Container[int]:
        """Return the references of a GameObject, cached for its components."""
        known = self._many_referred.get(owner)
        if known is not None:
            return known
        found = frozenset(reference.target for reference in self.references(owner))
        if len(found) > MANY_COMPONENTS:
            self._many_referred[owner] = found
        return found

    @cached_property
    def prefabs(self) -> dict[int, str]:
        """Root GameObject -> GUID of its prefab (players of 5.0 to 2018.1)."""
        return {
            number: guid
            for number, guid in self.listed_prefabs()
            if number >= 0 and self.class_ids[number] == GAME_OBJECT
        }

    def listed_prefabs(self) -> Iterator[tuple[int, str]]:
        """Yield a player's prefabs: GameObject (negative if missing) and GUID."""
        for part, known in enumerate(self.facts):
            for guid, place, file_id, path_id in known.player.prefabs if known.player is not None else ():
                yield self._target(self.files_of_part(part)[place], file_id, path_id), guid

    def below(self, root: int, known: Container[int] = ()) -> list[int]:
        """Return a GameObject and all below it, skipping ``known`` subtrees."""
        if root in known:
            return []
        found = {root: None}
        waiting = [root]
        while waiting:
            for component in self.references(waiting.pop()):
                number = component.target
                if number < 0 or number in found or number in known or self.game_object(number) is None:
                    continue
                found[number] = None
                if self.class_ids[number] in TRANSFORMS:
                    for reference in self.references(number):
                        child = self._child(reference.target)
                        if child is not None and child not in found and child not in known:
                            found[child] = None
                            waiting.append(child)
        return list(found)

    def _child(self, transform: int) -> int | None:
        if transform < 0 or self.class_ids[transform] not in TRANSFORMS:
            return None
        return self.game_object(transform)

    # --- files -----------------------------------------------------------------------------------------------------

    @cached_property
    def names(self) -> FileNames:
        """The files by name, as seen from each part."""
        names = ((file.facts.name, file.part) for file in self.files)
        return FileNames(names, [part.name for part in self.parts], self.players)

    def find_file(self, path: str, part: int) -> int | None:
        """Return the file of a name in a part's references, or None."""
        return next(iter(self.names.meant(path, part)), None)

    def external(self, file: int, place: int) -> ExternalFile:
        """Return the ``place``-th file (from 0) that a file refers to."""
        path = self.files[file].facts.externals[place]
        return ExternalFile(path, self._externals[file][place], is_builtin(path))

    @cached_property
    def _externals(self) -> list[tuple[int | None, ...]]:
        found = []
        for file in self.files:
            part = self.parts[file.part].name
            paths = self.content_names.externals(file.facts.name, part, file.facts.externals)
            found.append(tuple(self.find_file(path, file.part) for path in paths))
        return found

    def find_object(self, file: int, path_id: int) -> int | None:
        """Return the object of a PathID in a file, or None."""
        return self._places(file).get(path_id)

    def _places(self, file: int) -> dict[int, int]:
        found = self._place_tables.get(file)
        if found is None:
            numbers = self.files[file].numbers
            found = dict(zip(self.path_ids[numbers.start : numbers.stop], numbers, strict=True))
            self._place_tables[file] = found
        return found

    def _target(self, file: int, file_id: int, path_id: int) -> int:
        table = self._table(file, file_id)
        return table if isinstance(table, int) else table.get(path_id, MISSING_OBJECT)

    # --- references ------------------------------------------------------------------------------------------------

    @cached_property
    def reference_starts(self) -> array[int]:
        """The place of each object's first reference, and the end."""
        counts = array("I")
        for known in self.facts:
            counts += known.reference_counts
        return array("q", accumulate(counts, initial=0))

    @cached_property
    def _reference_columns(self) -> tuple[array[int], array[int]]:
        files, ids = array("i"), array("q")
        for known in self.facts:
            files += known.reference_files
            ids += known.reference_ids
        return files, ids

    def references(self, number: int) -> list[Reference]:
        """Return the references of an object, in the order of its fields."""
        file = self.file_of(number)
        files, ids = self._reference_columns
        places = range(self.reference_starts[number], self.reference_starts[number + 1])
        return [self.resolve(file, files[place], ids[place]) for place in places]

    def resolve(self, file: int, file_id: int, path_id: int) -> Reference:
        """Return the target of a reference by file ID and PathID."""
        externals = self.files[file].facts.externals
        path = externals[file_id - 1] if 0 < file_id <= len(externals) else f"external {file_id}" if file_id else ""
        return Reference(self._target(file, file_id, path_id), path, path_id)

    @cached_property
    def targets(self) -> array[int]:
        """The target of each reference: an object, or a negative constant."""
        files, ids = self._reference_columns
        starts = self.reference_starts
        found = array("q", bytes(8 * len(ids)))
        for file in self.files:
            tables: dict[int, dict[int, int] | int] = {}
            for place in range(starts[file.first], starts[file.numbers.stop]):
                file_id = files[place]
                table = tables.get(file_id)
                if table is None:
                    table = tables[file_id] = self._table(file.number, file_id)
                found[place] = table if isinstance(table, int) else table.get(ids[place], MISSING_OBJECT)
        return found

    def _table(self, file: int, file_id: int) -> dict[int, int] | int:
        """Return PathID -> object of a referenced file, or a negative constant."""
        if not file_id:
            return self._places(file)
        if not 0 < file_id <= len(self._externals[file]):
            return NOT_DECLARED
        other = self._externals[file][file_id - 1]
        return MISSING_FILE if other is None or not self.files[other].facts.serialized else self._places(other)

    @cached_property
    def _dependents(self) -> tuple[array[int], array[int]]:
        """Where the dependents of each object begin, and all dependents.

        Compressed sparse rows, of which the first column has one number more than there are objects.
        """
        targets, starts = self.targets, self.reference_starts
        counts = [0] * (len(self) + 1)
        for target in targets:
            if target >= 0:
                counts[target + 1] += 1
        begins = array("q", accumulate(counts))
        filled = array("q", begins)
        rows = array("q", bytes(8 * begins[-1]))
        for number in range(len(self)):
            for place in range(starts[number], starts[number + 1]):
                target = targets[place]
                if target >= 0:
                    rows[filled[target]] = number
                    filled[target] += 1
        return begins, rows

    def dependents(self, number: int) -> list[int]:
        """Return the objects that refer to one, each once, in their order."""
        begins, rows = self._dependents
        return list(dict.fromkeys(rows[begins[number] : begins[number + 1]]))

    # --- the whole -------------------------------------------------------------------------------------------------

    @cached_property
    def players(self) -> dict[int, PlayerFacts]:
        """The facts of the player in each part that has one."""
        return {part: known.player for part, known in enumerate(self.facts) if known.player is not None}

    def player_of(self, part: int) -> PlayerFacts | None:
        """Return the player in a part, beside it, or the only one."""
        if len(self.players) <= 1 or part in self.players:
            return self.players.get(part) or next(iter(self.players.values()), None)
        return self._player_of_folder.get(folder_of(self.parts[part].name))

    @cached_property
    def _player_of_folder(self) -> dict[str, PlayerFacts]:
        return {folder_of(self.parts[part].name): player for part, player in reversed(self.players.items())}

    def objects_of_part(self, part: int) -> range:
        """Return the numbers of the objects in a part."""
        return range(self._part_first[part], self._part_first[part + 1])

    def files_of_part(self, part: int) -> range:
        """Return the numbers of the files in a part."""
        return range(self._part_file[part], self._part_file[part + 1])


def is_builtin(path: str) -> bool:
    """Whether a file is one of Unity's own."""
    return path.casefold().startswith(_BUILTIN)


def resolve_streams(build: Build) -> Iterator[StreamedData]:
    """Yield all streamed data of a build."""
    for part, known in enumerate(build.facts):
        base = build.objects_of_part(part).start
        for stream in known.streams:
            file = build.find_file(stream.path, part)
            inside = file is not None and stream.offset + stream.size <= build.files[file].facts.size
            yield StreamedData(base + stream.object, stream.path, file, stream.offset, stream.size, inside)
