"""Integrity checks of a build: parts, references, streamed data, catalogs."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.build import MISSING_OBJECT, NOT_DECLARED, resolve_streams
from assetdb.builds.parts.facts import ARCHIVE, CONTENT_LAYOUT, CONTENT_MANIFEST, HELD
from assetdb.builds.parts.finding import reason
from assetdb.builds.parts.naming import BY_HASH
from assetdb.builds.parts.reading import open_part
from assetdb.builds.parts.scenes import level_of
from assetdb.builds.query.catalogs import read_catalogs
from assetdb.builds.query.declarations import ASSEMBLIES, assemblies_by_folder
from assetdb.builds.query.summary import users_of_missing
from assetdb_formats.binary import FormatError
from assetdb_formats.processes import tracked
from assetdb_formats.unityfs.content_layout import MANIFEST, content_hash
from assetdb_formats.unityfs.extracted_trees import TREES_NAME
from assetdb_formats.unityfs.serialized_files.serialized import MONO_BEHAVIOUR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.builds.build import Build
    from assetdb.builds.parts.content import PartContent
    from assetdb.builds.parts.finding import Part
    from assetdb_formats.processes import Progress

_FIRST_SCENE: Final = "mainData"
_MANAGED: Final = "Managed/"
_DLL: Final = ".dll"
_MANIFESTS: Final = ".json"
_PIECE: Final = 1 << 20
_MOST: Final = 50  # findings of one sort that are named one by one


class Verification(NamedTuple):
    """Problems of a build, and unchecked parts, a sentence each.

    Attributes:
        unread: unreadable parts: the result is not clean with any.
        crcs: CRC-32 of each bundle's decoded data, by the place of its part.
    """

    findings: tuple[str, ...]
    unread: tuple[str, ...]
    crcs: dict[int, int]


def verify(build: Build, *, progress: Progress = None) -> Verification:
    """Check all blocks, references, streams and catalog entries of a build."""
    crcs: dict[int, int] = {}
    findings = list(build.problems)
    findings += _blocks(build, crcs, progress)
    findings += _names(build)
    findings += _levels(build)
    findings += _assemblies(build)
    findings += _references(build)
    findings += _streams(build)
    findings += _catalogs(build, crcs)
    findings += _contents(build)
    changed, not_compared = _hashes(build)
    return Verification((*findings, *changed), (*_unread(build), *not_compared), crcs)


def _blocks(build: Build, crcs: dict[int, int], progress: Progress) -> Iterator[str]:
    """Decode all of every bundle; check that no objects overlap."""
    for number, part in enumerate(tracked(build.parts, progress)):
        known = build.facts[number]
        if known.kind not in HELD:
            continue
        if known.kind == ARCHIVE and known.archive is not None:
            try:
                with open_part(part.input) as bundle:
                    crcs[number] = bundle.crc32()
            except (FormatError, OSError) as error:
                yield reason(part.name, error)
        yield from _overlaps(build, number)


def _overlaps(build: Build, part: int) -> Iterator[str]:
    known = build.facts[part]
    place = 0
    for file in known.files:
        numbers = range(place, place + file.objects)
        place += file.objects
        at = file.metadata_end
        seen = Counter(known.path_ids[number] for number in numbers)
        name = build.parts[part].name if known.archive is None else f"{build.parts[part].name}/{file.name}"
        for path_id, count in seen.items():
            if count > 1:
                yield f"{name}: {count} objects have PathID {path_id}"
        for number in sorted(numbers, key=lambda own: known.offsets[own]):
            if known.offsets[number] < at:
                yield f"{name}: object {known.path_ids[number]} overlaps the data before it"
            at = max(at, known.offsets[number] + known.sizes[number])


def _names(build: Build) -> Iterator[str]:
    """Yield names of several files that references cannot tell apart."""
    together: dict[tuple[str, str], list[int]] = {}
    for name, numbers in build.names.by_name.items():
        for number in numbers if len(numbers) > 1 else ():
            folder = build.parts[build.files[number].part].name.rpartition("/")[0]
            together.setdefault((name, folder), []).append(number)
    found = dict.fromkeys(tuple(numbers) for numbers in together.values() if len(numbers) > 1)
    for file in build.files:
        for path in file.facts.externals:
            meant = build.names.meant(path, file.part)
            if len(meant) > 1:
                found[tuple(meant)] = None
    for meant in found:
        names = ", ".join(build.files[number].name for number in meant)
        yield f"{len(meant)} files have one name, references lead to the first: {names}"


def _levels(build: Build) -> Iterator[str]:
    """Yield scenes of players without a level: nothing refers to one."""
    held = [(level_of(file.facts.name), file.part) for file in build.files]
    held += [(level_of(part.name.rpartition("/")[2]), number) for number, part in enumerate(build.parts)]  # unreadable
    levels = [(level, build.player_of(part)) for level, part in held if level is not None]
    for part, player in build.players.items():
        name = build.parts[part].name
        if name.rpartition("/")[2] == _FIRST_SCENE:  # up to Unity 5.2 this is the first scene, and level0 the next
            continue
        own = {level for level, other in levels if other is player or other is None}
        for number, scene in enumerate(player.scenes):
            if number not in own:
                yield f"level{number} is not in the build; {name} lists it as scene {scene}"


def _assemblies(build: Build) -> Iterator[str]:
    """Yield the assemblies that a player with DLLs lists and lacks."""
    beside = {part.name.casefold() for part in build.parts}
    for folder, names in assemblies_by_folder(build).items():
        managed = f"{folder}/{_MANAGED}".removeprefix("/").casefold()
        # IL2CPP made one library of all. On Android and iOS it has a folder Managed, too, without DLLs directly in it.
        if any(name.startswith(managed) and name.endswith(_DLL) and "/" not in name[len(managed) :] for name in beside):
            for name in names:
                if managed + name.casefold() not in beside:
                    yield f"{name} is not in the build; {ASSEMBLIES} lists it"


def _references(build: Build) -> Iterator[str]:
    facts = zip(build.parts, build.facts, strict=True)
    damaged = {part.name.rpartition("/")[2].casefold() for part, known in facts if known.problems}
    for path, users in users_of_missing(build).items():
        others = f" and {len(users) - 1} more refer" if users[1:] else " refers"
        why = "could not be read" if path.rpartition("/")[2].casefold() in damaged else "is not in the build"
        yield f"{path} {why}; {build.files[users[0]].name}{others} to it"
    found = 0
    starts = build.reference_starts
    for number in range(len(build)):
        for place in range(starts[number], starts[number + 1]):
            target = build.targets[place]
            if target not in (MISSING_OBJECT, NOT_DECLARED):
                continue
            found += 1
            if found <= _MOST:
                reference = build.references(number)[place - starts[number]]
                where = f"{build.file_label(number)}#{build.path_ids[number]} ({_named(build, number)})"
                what = f"object {reference.path_id}" + (f" of {reference.file}" if reference.file else "")
                yield f"{where} refers to {what}, which is not there"
    if found > _MOST:
        yield f"and {found - _MOST:,} more references to objects that are not there"


def _streams(build: Build) -> Iterator[str]:
    missing: Counter[str] = Counter()
    for stream in resolve_streams(build):
        if stream.file is None:
            missing[stream.path] += 1
        elif not stream.is_inside:
            where = f"{build.file_label(stream.object)}#{build.path_ids[stream.object]}"
            size = build.files[stream.file].facts.size
            yield f"{where}: streams {stream.size} bytes at {stream.offset} of {stream.path}, which has {size}"
    for path, count in missing.items():
        yield f"{path} is not in the build; {count} {'object streams' if count == 1 else 'objects stream'} from it"


def _catalogs(build: Build, crcs: dict[int, int]) -> Iterator[str]:
    catalogs = read_catalogs(build)
    yield from catalogs.problems
    # What is on a server is not missing; but where some of a place are here, all of that place should be.
    places = {_place(bundle.internal_id) for bundle in catalogs.bundles if bundle.part is not None}
    for bundle in catalogs.bundles:
        name = catalogs.opened[bundle.catalog].name
        if bundle.part is None:
            if _place(bundle.internal_id) in places:
                yield f"{name}: {bundle.internal_id} is not in the build"
            continue
        part = build.parts[bundle.part]
        if bundle.size and bundle.size != build.facts[bundle.part].size:
            yield f"{part.name}: has {build.facts[bundle.part].size} bytes, {name} says {bundle.size}"
        if bundle.crc and bundle.part in crcs and crcs[bundle.part] != bundle.crc:
            yield f"{part.name}: its CRC is {crcs[bundle.part]}, {name} says {bundle.crc}"


def _contents(build: Build) -> Iterator[str]:
    """Yield files that are absent, of another size, or with other references."""
    laid_out = {content.layout.manifest_hash.casefold() for content in build.contents}
    for content in build.contents:
        if _hash_of(content) not in laid_out:  # else its layout names these files, with their assets
            yield from _content_files(build, content)
    for file in build.files if build.contents else ():
        needed = build.content_names.needed(file.facts.name, build.parts[file.part].name)
        if file.facts.serialized and needed is not None and len(needed) != len(file.facts.externals):
            others = f"{len(file.facts.externals):,} other files, its manifest says {len(needed):,}"
            yield f"{file.name}: refers to {others}: it is of another build, and its references lead nowhere"


def _content_files(build: Build, content: PartContent) -> Iterator[str]:
    """Yield files that a layout names and the build lacks or changed."""
    name, layout = content.part.name, content.layout
    sources = {file.content_hash: file.sources for file in layout.files if file.content_hash}
    sizes = {row.content_hash: row.size for row in layout.artifacts if row.category != MANIFEST}
    if content.part.kind == CONTENT_LAYOUT:
        sources |= {key: sources.get(key, ()) for key in sizes}
    place = _place_of(build, content)
    meant = {key: next(iter(build.names.meant(f"{BY_HASH}{key}", place)), None) for key in sources}
    if sources and not any(number is not None for number in meant.values()):
        yield f"{name}: none of its {len(sources):,} files is in the build: it is of another build"
        return
    for key, number in meant.items():
        if number is None:
            made_of = f" (of {', '.join(sources[key][:3])})" if sources[key] else ""
            yield f"{name}: {key}{made_of} is not in the build"
        elif key in sizes and sizes[key] != build.files[number].facts.size:
            file = build.files[number]
            yield f"{file.name}: has {file.facts.size:,} bytes, {name} says {sizes[key]:,}"


def _hashes(build: Build) -> tuple[list[str], list[str]]:
    """Return changed content files, and kinds that were not compared.

    Unity names files by the hash of their content. Of manifests this was seen; of the other kinds it is written in
    Unity's public sources, so they count as changed only beside one of their kind that has the hash of its name.
    """
    named = {_hash_of(content) for content in build.contents if content.part.kind == CONTENT_MANIFEST}
    for content in build.contents:
        named.update(file.content_hash.casefold() for file in content.layout.files if file.content_hash)
        named.update(row.content_hash.casefold() for row in content.layout.artifacts)
    as_named, others = {_MANIFESTS}, []
    findings = []
    for name, pieces in _content_pieces(build, named) if named else ():
        own, extension = os.path.splitext(name.rpartition("/")[2].casefold())
        try:
            found = content_hash(pieces)
        except (FormatError, OSError) as error:
            findings.append(reason(name, error))
            continue
        if found == own:
            as_named.add(extension)
        else:
            others.append((name, extension, found))
    findings += [
        f"{name}: was changed: the hash of its content is {found}"
        for name, extension, found in others
        if extension in as_named
    ]
    counts = Counter(extension for _, extension, _ in others if extension not in as_named)
    return findings, [
        f"hashes of {count:,} {extension} files: none is named by the XXH3-128 of its content, as manifests are"
        for extension, count in counts.items()
    ]


def _content_pieces(build: Build, named: set[str]) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield name and content of the files named by hash."""
    for part, known in zip(build.parts, build.facts, strict=True):
        if known.kind == ARCHIVE and known.archive is not None and not known.problems:
            try:
                with open_part(part.input) as bundle:
                    for node in bundle.nodes:
                        if os.path.splitext(node.path.casefold())[0] in named:
                            yield f"{part.name}/{node.path}", bundle.pieces(node)
            except (FormatError, OSError) as error:  # it changed since it was opened
                yield part.name, map(_refuse, [error])
        elif os.path.splitext(part.name.rpartition("/")[2].casefold())[0] in named:
            yield part.name, _pieces_of(part)


def _refuse(error: Exception) -> bytes:
    raise error


def _pieces_of(part: Part) -> Iterator[bytes]:
    with part.input.open() as stream:
        while piece := stream.read(_PIECE):
            yield piece


def _hash_of(content: PartContent) -> str:
    """Return the hash that a manifest is named by."""
    return content.part.name.rpartition("/")[2].removesuffix(".json").casefold()


def _place_of(build: Build, content: PartContent) -> int:
    """Return the part of a layout or manifest, or of its manifest."""
    if content.part in build.parts:
        return build.parts.index(content.part)
    manifest = f"{content.layout.manifest_hash}.json".casefold()
    return next((number for number, part in enumerate(build.parts) if part.name.casefold().endswith(manifest)), 0)


def _place(internal_id: str) -> str:
    return internal_id.replace("\\", "/").rpartition("/")[0]


def _unread(build: Build) -> Iterator[str]:
    """Yield the parts of a build that were not read."""
    counts: Counter[int] = Counter()
    for known in build.facts:
        counts.update(dict(known.unread))
    scripts = counts.pop(MONO_BEHAVIOUR, 0)
    if scripts:
        what = (
            "a MonoBehaviour: the fields of its script"
            if scripts == 1
            else f"{scripts:,} MonoBehaviours: the fields of their scripts"
        )
        yield f"{what} (the files have no type trees)"
        yield from _unread_scripts(build)
    for class_id, count in sorted(counts.items()):
        yield f"{count:,} objects of class {build.class_name(class_id)}: their references"
    extracted = sum(file.facts.without_trees for file in build.files)
    if extracted:
        yield f"values of {extracted:,} objects need their type trees of {TREES_NAME}, which is not there or lacks them"
    serialized = (file.facts for file in build.files if file.facts.serialized and not file.facts.without_trees)
    trees = sum(not facts.type_trees for facts in serialized)
    if trees:
        yield f"values in {trees:,} files without type trees: only names, references and streamed data were read"


def _unread_scripts(build: Build) -> Iterator[str]:
    """Yield the scripts that DLLs did not explain, with reasons."""
    counts: Counter[tuple[str, str]] = Counter()
    for known in build.facts:
        for script, why, objects in known.unread_scripts:
            counts[script, why] += objects
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    for (script, why), count in rows[:_MOST]:
        yield f"{count:,} of {script or 'a script'}: {why}"
    if len(rows) > _MOST:
        yield f"and {sum(count for _, count in rows[_MOST:]):,} of {len(rows) - _MOST:,} other scripts"


def _named(build: Build, number: int) -> str:
    return f"{build.class_name(build.class_ids[number])} {build.title(number)}".rstrip()
