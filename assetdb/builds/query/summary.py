"""Summary of a build: versions, platform, product, scenes, counts."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.build import MISSING_FILE, MISSING_OBJECT, NOT_DECLARED, is_builtin
from assetdb.builds.parts.facts import CATALOG, CODE, CONTENT_LAYOUT, HELD, LAYOUT
from assetdb.builds.parts.naming import folded
from assetdb.builds.parts.platforms import platform_name
from assetdb.builds.query.declarations import build_guid, declared_assemblies
from assetdb.builds.query.duplicates import same_sources, wasted_bytes
from assetdb.builds.query.versions import PackageVersion, package_versions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.builds.build import Build
    from assetdb.builds.parts.facts import FileFacts

_IL2CPP: Final = re.compile(r"(?:^|/)(?:global-metadata\.dat|GameAssembly\.(?:dll|so|dylib)|libil2cpp\.so)$")
_MONO: Final = re.compile(r"(?:^|/)Managed/[^/]+\.dll$")
_DLL: Final = ".dll"
_MODULES: Final = "UnityEngine."
_STRIPPED: Final = re.compile(r"[0.]*")
_OF_EDITOR: Final = "unity_default_resources"  # written with the editor: another version, and another platform


class ClassRow(NamedTuple):
    """Number and bytes of a class's objects."""

    name: str
    objects: int
    size: int
    streamed: int


class Summary(NamedTuple):
    """The facts of a build; sizes in bytes.

    Attributes:
        product: company and name of the player (of several: with commas); ``""`` without a player.
        unity_versions: of the editors that wrote its files, the most frequent first.
        back_end: ``il2cpp``, ``mono``, or ``""`` if unknown.
        type_trees: how many SerializedFiles have their layouts in them, and how many there are.
        packages: the archives around it: name and compression.
        disk: bytes on disk of the parts with objects or their data.
        decoded: bytes of the parts with objects or their data, decoded.
        others: bytes on disk of all other parts (code, catalogs).
        scenes: of each player in the order of the build, then scenes in bundles, then scenes of content directories.
        assemblies: scripts' assemblies by the number of their MonoScripts.
        catalogs: names of Addressables catalogs, layouts: of build layouts.
        missing: files that others refer to and the build lacks.
        guid: of the build, from boot.config; ``""`` without.
        declared: assemblies that the player declares and that have no MonoScript, Unity's own modules left out.
        versions: of packages, from files beside the build.
        missing_references: references to files or objects that are not there, Unity's own left out.
        duplicates: assets that are in several files, and the bytes that one copy of each would save; by their PathIDs,
            without a look at their content.
        classes: the most bytes first.
        unread_parts: how many parts could not be read, or not in full (:attr:`~assetdb.builds.build.Build.problems`).
    """

    paths: tuple[str, ...]
    product: str
    unity_versions: tuple[str, ...]
    platforms: tuple[str, ...]
    back_end: str
    type_trees: tuple[int, int]
    compressions: tuple[str, ...]
    packages: tuple[tuple[str, str], ...]
    parts: tuple[tuple[str, int], ...]
    files: int
    objects: int
    disk: int
    decoded: int
    others: int
    streamed: int
    scenes: tuple[str, ...]
    assemblies: tuple[tuple[str, int], ...]
    catalogs: tuple[str, ...]
    layouts: tuple[str, ...]
    missing: tuple[str, ...]
    guid: str
    product_guids: tuple[str, ...]
    declared: tuple[str, ...]
    versions: tuple[PackageVersion, ...]
    missing_references: int
    duplicates: tuple[int, int]
    classes: tuple[ClassRow, ...]
    unread_parts: int


class Platforms(NamedTuple):
    """The platforms that two builds were made for, by name."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def different_platforms(before: Build, after: Build) -> Platforms | None:
    """Return two builds' platforms; None if equal or unknown."""
    found = Platforms(*(_platform_names(_serialized(build)[1]) for build in (before, after)))
    return found if all(found) and {*found.before} != {*found.after} else None


def _platform_names(written: list[FileFacts]) -> tuple[str, ...]:
    return tuple(map(platform_name, dict.fromkeys(facts.platform for facts in written)))


def _serialized(build: Build) -> tuple[list[FileFacts], list[FileFacts]]:
    """Return all SerializedFiles, and without those that the editor ships with."""
    serialized = [file.facts for file in build.files if file.facts.serialized]
    return serialized, [facts for facts in serialized if folded(facts.name) != _OF_EDITOR] or serialized


def summarize(build: Build) -> Summary:
    """Return the facts of a build."""
    serialized, written = _serialized(build)
    players = build.players.values()
    held = [(part, known) for part, known in zip(build.parts, build.facts, strict=True) if known.kind in HELD]
    laid_out = [*build.parts, *(content.part for content in build.contents)]  # also by the history of builds
    copies = same_sources(build)
    versions = [facts.unity_version for facts in written]
    versions += [known.archive.unity_version for _, known in held if known.archive is not None]
    return Summary(
        paths=build.paths,
        product=", ".join(dict.fromkeys(filter(None, (f"{row.company} {row.product}".strip() for row in players)))),
        unity_versions=_by_count(version for version in versions if not _STRIPPED.fullmatch(version)),
        platforms=_platform_names(written),
        back_end=back_end(build),
        type_trees=(sum(facts.type_trees for facts in serialized), len(serialized)),
        compressions=_by_count(name for _, known in held if known.archive for name in known.archive.compressions),
        packages=tuple((package.name, package.compression) for package in build.packages),
        parts=tuple(Counter(part.kind for part in build.parts).most_common()),
        files=len(serialized),
        objects=len(build),
        disk=sum(part.disk for part, _ in held),
        decoded=sum(known.block_starts[-1] if known.block_starts else known.size for _, known in held),
        others=sum(part.disk for part in build.parts if part.kind not in HELD),
        streamed=sum(build.streamed),
        scenes=(
            *chain.from_iterable(row.scenes for row in players),
            *(path for _, path in build.scene_paths),
            *dict.fromkeys(scene.path for content in build.contents for scene in content.layout.scenes),
        ),
        assemblies=tuple(Counter(script.assembly for script in build.scripts.values()).most_common()),
        catalogs=tuple(part.name for part in build.parts if part.kind == CATALOG),
        layouts=tuple(dict.fromkeys(part.name for part in laid_out if part.kind in (LAYOUT, CONTENT_LAYOUT))),
        missing=tuple(users_of_missing(build)),
        guid=build_guid(build),
        product_guids=product_guids(build),
        declared=_without_components(build),
        versions=package_versions(build, catalogs=all(known.has_contents for known in build.facts)),
        missing_references=count_missing(build),
        duplicates=(len(copies), sum(wasted_bytes(build, own) for own in copies)),
        classes=class_rows(build),
        unread_parts=sum(bool(known.problems) for known in build.facts),
    )


def product_guids(build: Build) -> tuple[str, ...]:
    """Return the product GUIDs of the players that have one."""
    return tuple(dict.fromkeys(player.guid for player in build.players.values() if player.guid.strip("0")))


def class_rows(build: Build) -> tuple[ClassRow, ...]:
    """Return the classes of a build's objects, the most bytes first."""
    counts: Counter[int] = Counter(build.class_ids)
    sizes: Counter[int] = Counter()
    streamed: Counter[int] = Counter()
    for class_id, size, more in zip(build.class_ids, build.sizes, build.streamed, strict=True):
        sizes[class_id] += size
        streamed[class_id] += more
    rows = [ClassRow(build.class_name(number), counts[number], sizes[number], streamed[number]) for number in counts]
    return tuple(sorted(rows, key=lambda row: (-row.size - row.streamed, row.name)))


def back_end(build: Build) -> str:
    """Return a player's scripting back end: ``il2cpp``, ``mono`` or ``""``."""
    names = [part.name for part in build.parts if part.kind == CODE]
    if any(map(_IL2CPP.search, names)):
        return "il2cpp"
    return "mono" if any(map(_MONO.search, names)) else ""


def users_of_missing(build: Build) -> dict[str, list[int]]:
    """Return missing files, sorted, with the numbers of referring files."""
    found: dict[str, list[int]] = {}
    for file in build.files:
        for place in range(len(file.facts.externals)):
            external = build.external(file.number, place)
            if external.file is None and not external.builtin:
                users = found.setdefault(external.path, [])
                if not users or users[-1] != file.number:  # a file may name another twice
                    users.append(file.number)
    return dict(sorted(found.items()))


def _without_components(build: Build) -> tuple[str, ...]:
    known = {script.assembly.removesuffix(_DLL) for script in build.scripts.values()}
    return tuple(
        name
        for name in declared_assemblies(build)
        if name.removesuffix(_DLL) not in known and not name.startswith(_MODULES)
    )


def count_missing(build: Build) -> int:
    """Return the number of dangling references, except into Unity's files."""
    targets = build.targets
    found = targets.count(MISSING_OBJECT) + targets.count(NOT_DECLARED)
    if MISSING_FILE not in targets:
        return found
    starts = build.reference_starts
    for file in build.files:
        places = range(len(file.facts.externals))
        if all(build.external(file.number, place).file is not None for place in places):
            continue
        for number in file.numbers:
            if MISSING_FILE in targets[starts[number] : starts[number + 1]]:
                found += sum(
                    reference.target == MISSING_FILE and not is_builtin(reference.file)
                    for reference in build.references(number)
                )
    return found


def _by_count(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(value for value, _ in Counter(values).most_common())
