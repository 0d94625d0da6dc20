"""References in script fields, read with the DLLs beside a player.

A second pass, after all of a build is read, over the files that have MonoBehaviours and no type trees: the class of a
MonoBehaviour is in another file (its MonoScript), and its fields are in a DLL. Either all objects of one script in a
file are read, each to its last byte, or none.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from hashlib import blake2b
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.build import Build
from assetdb.builds.parts.facts import CODE, HELD, UnreadScript
from assetdb.builds.parts.reading import LARGEST_OBJECT, open_part
from assetdb.unity.engine.classes import class_number
from assetdb_formats.binary import FormatError
from assetdb_formats.dotnet.resolution import Assemblies, plain_name
from assetdb_formats.files import words_of
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.serialized import MONO_BEHAVIOUR
from assetdb_formats.unityfs.types.scripts import ScriptTrees, UnknownLayoutError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assetdb.builds.parts.facts import PartFacts
    from assetdb.builds.parts.finding import Part
    from assetdb_formats.unityfs.serialized_files.loaded import LoadedFile
    from assetdb_formats.unityfs.serialized_files.player import Script
    from assetdb_formats.unityfs.serialized_files.serialized import ObjectEntry

LARGEST_DLL: Final = 64 << 20
"""Bytes of a DLL that is read; the largest of Unity's own has 5 MB."""
_MANAGED: Final = re.compile(r"(?P<folder>(?:.*/)?Managed)/(?P<name>[^/]+\.dll)$", re.IGNORECASE)
_UNTRUSTED: Final = "?"  # marks results that are not cached

_Pointers = list[tuple[int, int]]


def scripts_key(parts: Sequence[Part], facts: Sequence[PartFacts]) -> str:
    """Return a stamp of all inputs of scripts' fields; ``""`` without DLLs."""
    if not any(map(_dll, parts)):
        return ""
    digest = blake2b(digest_size=16)
    for part, known in zip(parts, facts, strict=True):
        decides = bool(known.scripts) or _dll(part) is not None
        if decides and not part.identity:
            return _UNTRUSTED
        if decides or known.kind in HELD:
            digest.update(f"{part.name}\0{part.identity if decides else ''}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def read_scripts(parts: Sequence[Part], facts: Sequence[PartFacts]) -> dict[int, PartFacts]:
    """Return parts with the facts that the DLLs add.

    As after a first read: cached facts of other DLLs are replaced.
    """
    key = scripts_key(parts, facts)
    waiting = [
        number
        for number, known in enumerate(facts)
        if (known.scripts_key != key or key == _UNTRUSTED) and _lacks_trees(known)
    ]
    if not waiting:
        return {}
    build = Build((), parts, facts)
    libraries = Libraries(parts)
    found = {}
    for number in waiting:
        found[number] = _Look(build, number, libraries).facts(key)
    return found


def _dll(part: Part) -> re.Match[str] | None:
    return _MANAGED.search(part.name) if part.kind == CODE else None


def _lacks_trees(known: PartFacts) -> bool:
    """Whether a part has MonoBehaviours, but no type trees."""
    if not known.has_contents or MONO_BEHAVIOUR not in known.class_ids:
        return False
    return not any(file.type_trees for file in known.files if file.objects)


class Libraries:
    """The DLLs of a build, by folder."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._folders: dict[str, dict[str, Part]] = {}
        for part in parts:
            match = _dll(part)
            if match is not None:
                self._folders.setdefault(match["folder"], {})[plain_name(match["name"])] = part
        self._known: dict[str, Assemblies] = {}
        self._trees: dict[tuple[str, str], ScriptTrees] = {}

    def trees(self, part: str, version: str) -> ScriptTrees:
        """Return the script trees of a part's player, or the only one."""
        folder = f"{part.rpartition('/')[0]}/Managed".lstrip("/")
        if folder not in self._folders:
            folder = next(iter(self._folders)) if len(self._folders) == 1 else ""
        key = (folder, version)
        if key not in self._trees:
            if folder not in self._known:
                found = self._folders.get(folder, {})
                self._known[folder] = Assemblies(lambda name: _bytes(found.get(name)))
            self._trees[key] = ScriptTrees(self._known[folder], version, _is_native)
        return self._trees[key]


def _bytes(part: Part | None) -> bytes | None:
    if part is None:
        return None
    try:
        return part.input.read(largest=LARGEST_DLL)
    except OSError as error:
        raise FormatError(words_of(error), path=part.name) from None


def _is_native(name: str) -> bool:
    """Whether Unity has objects of a class.

    Numbers from 100,000 on are types that are no objects.
    """
    number = class_number(name)
    return number is not None and not 100_000 <= number < 1_000_000


class _Seen(NamedTuple):
    """The references of one type's objects, or the reason for none."""

    pointers: dict[int, _Pointers]
    why: str = ""


class _Look:
    """The MonoBehaviours of one part."""

    def __init__(self, build: Build, number: int, libraries: Libraries) -> None:
        self.build = build
        self.number = number
        self.part = build.parts[number]
        self.known = build.facts[number]
        self.libraries = libraries
        self.pointers: dict[int, _Pointers] = {}
        self.unread: Counter[tuple[str, str]] = Counter()

    def facts(self, key: str) -> PartFacts:
        try:
            with open_part(self.part.input) as bundle:
                base = 0
                for place, node in enumerate(sorted(bundle.nodes)):
                    objects = self.known.files[place].objects
                    if objects:
                        file = bundle.file(node)
                        if len(file.facts.objects) != objects:
                            return self.known
                        self._file(file, base, self.build.files_of_part(self.number)[place])
                    base += objects
        except (FormatError, OSError, IndexError):
            return self.known  # changed or damaged: its facts are kept, and the next read reports it
        return self._merged(key)

    def _file(self, file: LoadedFile, base: int, number: int) -> None:
        types: dict[int, list[tuple[int, ObjectEntry]]] = {}
        for place, entry in enumerate(file.facts.objects, base):
            if entry.class_id == MONO_BEHAVIOUR:
                types.setdefault(entry.type_index, []).append((place, entry))
        trees = self.libraries.trees(self.part.name, file.facts.unity_version)
        for type_index, entries in types.items():
            script = self.build.type_script(number, type_index)
            seen = _seen(file, type_index, entries, script, trees)
            if seen.why:
                name = script.full_name if script is not None else ""
                self.unread[name, seen.why] += len(entries)
            self.pointers |= seen.pointers

    def _merged(self, key: str) -> PartFacts:
        """Return facts with newly read references in place of earlier ones."""
        known, pointers = self.known, self.pointers
        starts = list(accumulate(known.reference_counts, initial=0))
        counts, files, ids = array("I"), array("i"), array("q")
        done = 0
        for place in sorted(pointers):
            counts += known.reference_counts[done:place]
            files += known.reference_files[starts[done] : starts[place]]
            ids += known.reference_ids[starts[done] : starts[place]]
            counts.append(len(pointers[place]))
            files.extend([file_id for file_id, _ in pointers[place]])
            ids.extend([path_id for _, path_id in pointers[place]])
            done = place + 1
        counts += known.reference_counts[done:]
        files += known.reference_files[starts[done] :]
        ids += known.reference_ids[starts[done] :]
        unread = dict(known.unread)
        unread[MONO_BEHAVIOUR] = sum(self.unread.values())
        rows = sorted(self.unread.items(), key=lambda row: (-row[1], row[0])) if key else []
        return known._replace(
            reference_counts=counts,
            reference_files=files,
            reference_ids=ids,
            unread=tuple(sorted((number, count) for number, count in unread.items() if count)),
            unread_scripts=tuple(UnreadScript(name, why, count) for (name, why), count in rows),
            scripts_key=key,
        )


def _seen(
    file: LoadedFile,
    type_index: int,
    entries: Iterable[tuple[int, ObjectEntry]],
    script: Script | None,
    trees: ScriptTrees,
) -> _Seen:
    """Read one type's objects by the DLLs, else their common fields."""
    why = "its script is not in the build"
    if script is not None:
        try:
            file.learn(type_index, trees.tree(script))
            return _Seen(_pointers(file, entries))
        except UnknownLayoutError as error:
            why = error.what
        except UnityFSError:
            file.forget(type_index)
            why = f"{script.assembly} declares other fields than its objects have"
    found = {}
    for place, entry in entries:
        try:
            found[place] = file.skim(entry, largest=LARGEST_OBJECT).pointers
        except UnityFSError:  # reported when the part was read
            found[place] = []
    return _Seen(found, why)


def _pointers(file: LoadedFile, entries: Iterable[tuple[int, ObjectEntry]]) -> dict[int, _Pointers]:
    most = len(file.facts.externals)
    found = {}
    for place, entry in sorted(entries, key=lambda item: item[1].offset):
        pointers = file.skim(entry, largest=LARGEST_OBJECT).pointers
        if not all(0 <= file_id <= most for file_id, _ in pointers):
            raise UnityFSError("a reference into a file that is not declared", offset=entry.offset)
        found[place] = pointers
    return found
