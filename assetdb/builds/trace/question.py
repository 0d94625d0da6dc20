"""The subject of a trace: an asset, object, file or catalog key."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from assetdb.builds.objects.selection import lookup
from assetdb.builds.trace.contents import stem_of
from assetdb.builds.trace.paths import holds_build, objects_at, objects_of_file, objects_of_named
from assetdb.query.graph.unused import find_unused
from assetdb.query.selecting.selector import Subject, Unmatched, find_subject, read_subject
from assetdb_formats.addressables.hashes import spooky_hash
from assetdb_formats.processes import tracked
from assetdb_formats.unityfs.identity import archive_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.builds.groups.plan import Plan
    from assetdb.builds.trace.traced import LaidOut, Shipped, Stated, Traced
    from assetdb.builds.trace.tracer import Tracer
    from assetdb_formats.processes import Progress

# Reasons of ``unused`` for keeping assets that no build contains.
_NOT_BUILT = frozenset(("code", "editor", "package", "Addressables group"))


class Entry(NamedTuple):
    """A catalog's entry of an asset; ``needs`` counts its bundles."""

    address: str
    labels: tuple[str, ...]
    internal_id: str
    type: str
    bundle: str
    bundle_size: int
    crc: int
    group: str
    needs: int


class Forward(NamedTuple):
    """Where an asset went.

    Attributes:
        path: ``""`` if the project does not have it.
        file_id: the object of the query, or None.
        group: its group in the project, or ``""``.
        entries: its entries in catalogs.
        laid_out: its rows in build layouts, as a pulled-in asset.
        stated: its rows in content states; the group by its name, if the project has it.
    """

    query: str
    guid: str
    path: str
    file_id: int | None
    group: str
    planned: tuple[str, ...]
    entries: tuple[Entry, ...]
    shipped: tuple[Shipped, ...]
    laid_out: tuple[LaidOut, ...]
    stated: tuple[Stated, ...]

    @property
    def is_found(self) -> bool:
        """Whether the build has it in any way."""
        return bool(self.shipped or self.entries or self.laid_out or self.stated)


class Back(NamedTuple):
    """The sources of objects.

    ``bundle`` is the AssetBundle whose name makes the name of the file, or ``""``.
    """

    query: str
    bundle: str
    objects: tuple[Traced, ...]


class Unshipped(NamedTuple):
    """An asset in no build, and why ``unused`` keeps it."""

    asset: str
    guid: str
    kept: str


def ask(word: str, tracer: Tracer, cwd: str = "", plan: Plan | None = None) -> Forward | Back | Unmatched:
    """Return where something went or came from.

    A GUID or reference means an asset; then a path of the disk what lies there in the build; then what names an object
    or a file of the build without doubt; then an asset of the project; then a key, address, label or internal id of a
    catalog; then a name in the build; last a folder around the build.
    """
    build = tracer.build
    known = read_subject(word)
    if known is not None:
        return _forward(word, known, tracer, plan)
    bundle = _bundle_of(word, tracer)
    placed = objects_at(word, build, cwd)
    if placed is None:
        placed = objects_of_named(word, build, is_whole=True)
    if placed is not None:
        return Back(word, bundle, tuple(map(tracer.back, placed)))
    thing = lookup(build, word)
    if bundle or (thing is not None and thing.by in ("PathID", "file")):
        numbers = list(thing.objects) if thing is not None else []
        for place in thing.files if thing is not None else ():
            numbers += objects_of_file(build, place)
        once = dict.fromkeys(numbers)  # a bundle has its streamed data, too
        return Back(word, bundle, tuple(map(tracer.back, once)))
    subject = find_subject(word, tracer.project, cwd)
    if isinstance(subject, Subject):
        return _forward(word, subject, tracer, plan)
    placed = objects_of_named(word, build, is_whole=False)  # behind plug-ins of the project of that name
    if placed is not None:
        return Back(word, "", tuple(map(tracer.back, placed)))
    items = [
        item
        for item in tracer.catalogs.assets
        if word in (item.address, item.internal_id, item.guid) or word in item.labels
    ]
    guids = list(dict.fromkeys(item.guid for item in items if item.guid))
    if len(guids) == 1:
        return _forward(word, Subject(guids[0], None), tracer, plan)
    if guids:
        return Unmatched(word, tuple(sorted({item.internal_id for item in items})), ambiguous=True)
    if thing is not None:
        return Back(word, "", tuple(map(tracer.back, thing.objects)))
    if holds_build(word, build, cwd) and not _assets_below(word, tracer, cwd):
        return Back(word, "", tuple(tracer.all()))
    placed = objects_of_named(word, build, is_whole=False, of_any_kind=True)
    return subject if placed is None else Back(word, bundle, tuple(map(tracer.back, placed)))


def ask_each(
    word: str,
    tracer: Tracer,
    cwd: str = "",
    plan: Plan | None = None,
    *,
    progress: Progress = None,
) -> Iterator[Forward | Back | Unmatched]:
    """Yield answers of :func:`ask`, for a folder one per asset."""
    answer = ask(word, tracer, cwd, plan)
    below = [] if _is_answer(answer) else _assets_below(word, tracer, cwd)
    if not below:
        yield answer
        return
    with tracer.many_lookups():
        for _, guid in tracked(below, progress):
            yield _forward(word, Subject(guid, None), tracer, plan)


def _is_answer(answer: Forward | Back | Unmatched) -> bool:
    """Whether a word needs no second meaning as a folder."""
    if isinstance(answer, Forward):
        return bool(answer.path) or answer.is_found
    return isinstance(answer, Back) or answer.ambiguous


def _assets_below(word: str, tracer: Tracer, cwd: str) -> list[tuple[str, str]]:
    """Return path and GUID of the assets below a folder, sorted.

    A path or GUID means the folder.
    """
    project, path = tracer.project, os.path.join(cwd, word)
    if word and "\0" not in path and os.path.realpath(path) == os.path.realpath(project.root):
        return sorted((asset.path, asset.guid) for asset in project.database)
    subject = find_subject(word, project, cwd, suggest=False, folders=True)
    folder = (subject.folder or project.assets.folder(subject.guid)) if isinstance(subject, Subject) else ""
    if not folder:
        return []
    return sorted((asset.path, asset.guid) for asset in project.database if asset.path.startswith(f"{folder}/"))


def _forward(word: str, subject: Subject, tracer: Tracer, plan: Plan | None) -> Forward:
    asset = tracer.project.assets.by_guid(subject.guid)
    path = asset.path if asset is not None else ""
    entries = tuple(
        Entry(
            item.address,
            item.labels,
            item.internal_id,
            item.type,
            bundle.internal_id if bundle is not None else "",
            bundle.size if bundle is not None else 0,
            bundle.crc if bundle is not None else 0,
            bundle.group if bundle is not None else "",
            len(item.needs),
        )
        for item, bundle in tracer.entries(subject.guid, path)
    )
    groups = [
        group
        for group in (plan.groups if plan is not None else ())
        if any(member.guid == subject.guid for member in group.members)
    ]
    planned = tuple(
        bundle.name
        for group in groups
        for bundle in group.bundles
        if any(member.guid == subject.guid for member in bundle.members)
    )
    shipped = tuple(tracer.shipped(subject.guid, subject.file_id))
    path = path or tracer.reported_path(subject.guid)
    name = groups[0].name if groups else ""
    laid_out = tuple(
        row for row in tracer.laid_out() if (row.guid == subject.guid if row.guid else path and row.path == path)
    )
    names = {group.guid: group.name for group in (plan.groups if plan is not None else ())}
    stated = tuple(
        row._replace(group=names.get(row.group, row.group)) for row in tracer.stated() if row.guid == subject.guid
    )
    return Forward(word, subject.guid, path, subject.file_id, name, planned, entries, shipped, laid_out, stated)


def _bundle_of(word: str, tracer: Tracer) -> str:
    """Return the known bundle that a hashed name (``CAB-...``) means."""
    folded = word.rpartition("/")[2].casefold()
    if not folded.startswith("cab-"):
        return ""
    for name in _bundle_names(tracer):
        if folded in (archive_name(name).casefold(), archive_name(name, spooky_hash).casefold()):
            return name
    return ""


def _bundle_names(tracer: Tracer) -> Iterator[str]:
    yield from sorted(set(tracer.project.bundle_names().values()))
    for facts in tracer.build.facts:
        if facts.archive is not None:
            yield from filter(None, (facts.archive.name, *facts.archive.dependencies))
    for bundle in tracer.catalogs.bundles:
        yield bundle.name


def unshipped(tracer: Tracer, plan: Plan | None = None) -> list[Unshipped]:
    """Return assets that no build has, except code, packages and editor's.

    The files beside the settings of Addressables are left out, too: groups, schemas and templates refer to each other.

    Raises:
        AssetdbError: unused assets cannot be determined.
    """
    shipped = tracer.guids()
    report = find_unused(tracer.project)
    rows = [Unshipped(row.path, row.guid, "unused") for row in report.unused if row.guid not in shipped]
    rows += [
        Unshipped(row.path, row.guid, row.reason or f"used by {stem_of(row.used_by)}")
        for row in report.kept
        if row.guid not in shipped and row.reason.partition(":")[0] not in _NOT_BUILT
    ]
    beside = f"{plan.path.rpartition('/')[0]}/" if plan is not None else ""
    return sorted(row for row in rows if beside in ("", "Assets/") or not row.asset.startswith(beside))
