"""Contents of assets and folders as rows with names: ``ls``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.contents.hierarchy import Hierarchy
from assetdb.errors import FileError, UsageError
from assetdb.query.completeness import KINDS, of_nested, unread_fields
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.relations import (
    content_of,
    dependencies_of,
    describe,
    describe_asset,
    describe_subject,
    folder_of,
)
from assetdb.query.selecting.selector import Subject, Unmatched, find_subject
from assetdb.query.sizes import size_of
from assetdb.resolve.instances import Imported, ObjectInfo
from assetdb.resolve.sizes import LARGEST, LINK_OUT, TARGET_ABSENT, TOO_LARGE, UNREADABLE
from assetdb.store.indexes.supplement import Unread
from assetdb.unity.engine.file_ids import COMPONENTS
from assetdb.unity.importers.model_scene import READ_FORMATS
from assetdb.unity.kinds import extension_of, kind_of
from assetdb.unity.settings.addressables import GROUP_SCRIPT, read_group
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from assetdb.contents.hierarchy import Component, Node
    from assetdb.query.graph.relations import AssetInfo
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.resolve.resolver import Resolver
    from assetdb.unity.textures.imported import ImportedTexture

HIERARCHIES: Final = frozenset(("prefab", "unity"))
BETWEEN: Final = " / "
"""The text between the names of an object and its parent."""
_SHOWN_NAMES: Final = 64
_NO_TYPE: Final = "Missing"
_ATLASES: Final = ("spriteatlas", "spriteatlasv2")
_MODEL: Final = "model"


class ComponentRow(NamedTuple):
    """A component with the name of its type; see :class:`assetdb.contents.hierarchy.Component`."""

    type: str
    file_id: int
    script: str
    source: str
    source_id: int
    overridden: int
    added: bool
    removed: bool


class ObjectRow(NamedTuple):
    """A GameObject with names; see :class:`assetdb.contents.hierarchy.Node`.

    Attributes:
        way: the names from the root down to it; of a very deep one the last 64.
        source: GUID of the asset that has its document.
        source_path: path of that asset, ``""`` if nothing here has the GUID.
        places: GUID of the prefab or model whose instance has it as root, else ``""``.
    """

    depth: int
    file_id: int
    name: str
    way: tuple[str, ...]
    active: bool
    components: tuple[ComponentRow, ...]
    source: str
    source_path: str
    source_id: int
    instance: int
    places: str
    overridden: int
    added: bool
    removed: bool
    reason: str


class PartRow(NamedTuple):
    """An object of an asset that has no hierarchy."""

    name: str
    type: str
    file_id: int


class AssetRow(NamedTuple):
    """An asset or folder, with the bytes of its assets, metas excluded."""

    path: str
    type: str
    guid: str
    bytes: int


class LeftOut(NamedTuple):
    """Objects that are not listed, with all below them, by their prefab."""

    path: str
    objects: int


class Contents(NamedTuple):
    """The contents of an asset or folder: rows of one kind.

    Attributes:
        objects: of a prefab, scene or model.
        parts: of another asset.
        assets: of a folder, a group or an atlas.
        truncated: whether there are more than are listed.
        unread: nested assets that could not be opened.
        left_out: if they are truncated, where the listing ended.
    """

    objects: list[ObjectRow]
    parts: list[PartRow]
    assets: list[AssetRow]
    truncated: bool
    unread: Sequence[Unread] = ()
    left_out: Sequence[LeftOut] = ()


def contents_of(
    subject: Subject,
    project: Snapshot,
    cwd: str = "",
    *,
    nested: bool = True,
    depth: int | None = None,
    classes: Collection[str] = (),
    inside: str = "",
    deep: bool = False,
) -> Contents:
    """Return the contents of any asset or folder; see the functions below.

    Args:
        subject: the asset or folder.
        project: where it is.
        cwd: the working directory of the question.
        nested: as :func:`list_objects` has it.
        depth: as :func:`list_objects` has it.
        classes: as :func:`list_objects` has it.
        inside: list only this object and what is below it: a fileID, or its name as the asset prints it.
        deep: as :func:`list_folder` has it.

    Raises:
        FileError: the asset cannot be opened; the message gives the reason.
        UsageError: ``inside`` is not in the asset.
    """
    if folder_of(subject, project):
        return list_folder(subject, project, deep=deep)
    found = describe_subject(subject, project)
    if not has_hierarchy(found.path):
        packed = _packed_in(subject, found, project)
        return list_parts(subject, project) if packed is None else Contents([], [], packed, truncated=False)
    below = _object_in(inside, found.path, project, cwd) if inside else subject.file_id
    listed = list_objects(subject, project, nested=nested, depth=depth, classes=classes, inside=below)
    if kind_of(extension_of(found.path)).namer == _MODEL:  # without its file, the meta alone says which objects it has
        listed = listed._replace(unread=_unread_model(subject, found.path, project))
    if classes or below is not None or depth is not None:
        return listed
    return listed._replace(parts=_parts_of_model(subject, project))


def _unread_model(subject: Subject, path: str, project: Snapshot) -> list[Unread]:
    """Return a model without a file that tells its objects, else nothing."""
    guid = project.key_at(subject.path, subject.guid)
    location, content = project.resolver.locate(guid), project.resolver.bounded_content(guid)
    missing = content.missing if isinstance(content, Imported) else ""
    if location is not None and location.absent:
        return [Unread(path, "absent")]
    if missing == TARGET_ABSENT:
        return [Unread(path, "empty-asset")]
    if missing in KINDS:
        return [Unread(path, missing)]
    return [] if extension_of(path) in READ_FORMATS else [Unread(path, "unread-format")]


def _object_in(text: str, path: str, project: Snapshot, cwd: str) -> int | None:
    """Return the fileID of an object, given that or its name.

    Raises:
        UsageError: nothing in the asset is called so, or several objects are.
    """
    if text.removeprefix("-").isdecimal() and len(text) <= len(str(-(1 << 63))):
        return int(text)
    folder, _, file = path.rpartition("/")
    # With its folder: a scene of another folder may have the name of this one, and objects called alike.
    whole = f"{folder}/{text}" if text.startswith(file) else f"{path}{BETWEEN}{text}"
    found = find_subject(whole, project, cwd, suggest=False)
    if isinstance(found, Unmatched):
        if found.ambiguous:
            rows = "".join(f"\n  {row}" for row in found.candidates)
            raise UsageError(f"--in {text!r} is ambiguous, give the fileID:{rows}")
        raise UsageError(f"--in {text!r}: {path} has no such object: `assetdb ls --tree` lists those it has")
    return found.file_id


def contents_fields(
    contents: Contents, subject: Subject, textures: Mapping[str, ImportedTexture] | None = None
) -> dict[str, Any]:
    """Return contents for JSON, with rows made as they are read."""
    return {
        "objects": (
            {
                **row._asdict(),
                "guid": subject.guid,
                "way": BETWEEN.join(row.way),
                "components": [part._asdict() for part in row.components],
            }
            for row in contents.objects
        ),
        "parts": ({**row._asdict(), "guid": subject.guid} for row in contents.parts),
        "assets": (_asset_fields(row, textures) for row in contents.assets),
        "truncated": contents.truncated,
        "left_out": [row._asdict() for row in contents.left_out],
        **unread_fields(contents.unread),
    }


def _asset_fields(row: AssetRow, textures: Mapping[str, ImportedTexture] | None) -> dict[str, Any]:
    if textures is None:
        return row._asdict()
    from assetdb.query.imported_sizes import imported_fields  # noqa: PLC0415 - few ask for textures

    return {**row._asdict(), "imported": imported_fields(textures.get(row.path))}


def list_objects(
    subject: Subject,
    project: Snapshot,
    *,
    nested: bool = True,
    depth: int | None = None,
    classes: Collection[str] = (),
    inside: int | None = None,
) -> Contents:
    """Return the GameObjects of a prefab, scene or model.

    Args:
        subject: the asset.
        project: where it is.
        nested: whether nested prefabs are opened.
        depth: number of levels, from ``inside`` on if given.
        classes: list only GameObjects with a component of a listed class or script, names in any case, or GUIDs.
        inside: fileID of a GameObject, or of a component of it: list only it and what is below it.

    Raises:
        FileError: the asset cannot be opened; the message gives the reason.
        UsageError: ``inside`` is not in the asset.
    """
    resolver = project.resolver
    guid = project.key_at(subject.path, subject.guid)
    hierarchy = Hierarchy(resolver.bounded_content, guid)
    opened = hierarchy.open(guid)
    if isinstance(opened, str):
        raise FileError(why_unreadable(resolver, guid, opened))
    nodes = hierarchy.nodes(nested=nested, depth=None if inside is not None else depth)
    if inside is not None:
        nodes = _inside(nodes, inside, depth)
    wanted = {name.casefold().removesuffix(".cs") for name in classes}
    rows = []
    way: list[str] = []
    closed = []
    for node in nodes:
        row = _object_row(node, resolver, way)
        if row.reason:
            closed.append((_path(resolver, row.places), row.reason))
        if not wanted or any(part.type.casefold() in wanted or part.script in wanted for part in row.components):
            rows.append(row)
    if inside is not None and not way:
        raise UsageError(f"{inside}: is not a GameObject of the asset: `assetdb ls` without --in lists those")
    left = hierarchy.left_out.most_common()
    left_out = [LeftOut(_path(resolver, prefab) or prefab, count) for prefab, count in left]
    return Contents(rows, [], [], hierarchy.truncated, of_nested(closed), left_out)


def _inside(nodes: Iterable[Node], inside: int, depth: int | None) -> Iterator[Node]:
    """Yield an object, found by its or a component's fileID, and descendants."""
    top: int | None = None
    for node in nodes:
        if top is not None and node.depth <= top:
            return
        if top is None and inside in (node.file_id, *(part.file_id for part in node.components)):
            top = node.depth
        if top is not None and (depth is None or node.depth - top < depth):
            yield node._replace(depth=node.depth - top)


def _object_row(node: Node, resolver: Resolver, way: list[str]) -> ObjectRow:
    del way[node.depth :]
    way.append(node.name or _stem(resolver, node.places))
    return ObjectRow(
        node.depth,
        node.file_id,
        way[-1],
        tuple(way[-_SHOWN_NAMES:]),
        node.is_active,
        tuple(_component_row(part, resolver) for part in node.components),
        node.guid,
        _path(resolver, node.guid),
        node.source_id,
        node.instance,
        node.places,
        node.overridden,
        node.added,
        node.removed,
        node.reason,
    )


def _component_row(part: Component, resolver: Resolver) -> ComponentRow:
    kind = resolver.type_of_object(ObjectInfo(part.class_id, part.class_name, "", (), part.script)) or _NO_TYPE
    return ComponentRow(
        kind, part.file_id, part.script[1], part.guid, part.source_id, part.overridden, part.added, part.removed
    )


def _path(resolver: Resolver, guid: str) -> str:
    location = resolver.locate(guid) if guid else None
    return location.path if location is not None else ""


def _stem(resolver: Resolver, guid: str) -> str:
    """Return the default name of a placed prefab: its file's."""
    return _path(resolver, guid).rpartition("/")[2].rpartition(".")[0] or guid


def list_parts(subject: Subject, project: Snapshot) -> Contents:
    """Return the objects (documents, sprites) of an asset without a hierarchy.

    Raises:
        FileError: the asset cannot be opened; the message gives the reason.
    """
    resolver = project.resolver
    guid = project.key_at(subject.path, subject.guid)
    content = resolver.bounded_content(guid)
    if isinstance(content, str):
        raise FileError(why_unreadable(resolver, guid, content))
    rows = []
    if isinstance(content, Imported):
        for file_id, imported in content.objects.items():
            if not imported.certain:
                continue
            main = resolver.name(guid, file_id) if not imported.path else None
            is_main = main is not None and BETWEEN not in main.name
            kind = imported.class_name or (main.type if main is not None else "")
            rows.append(PartRow(content.stem if is_main else imported.path, kind, file_id))
    else:
        for file_id, item in content.objects.items():
            kind = resolver.type_of_object(ObjectInfo(item.class_id, "", "", (), item.script))
            rows.append(PartRow(item.name, kind or str(item.class_id), file_id))
    return Contents([], rows, [], truncated=False)


def _parts_of_model(subject: Subject, project: Snapshot) -> list[PartRow]:
    """Return the meshes, materials, clips and avatar of a model."""
    content = project.resolver.bounded_content(project.key_at(subject.path, subject.guid))
    if not isinstance(content, Imported):
        return []
    return [
        PartRow(item.path, item.class_name, file_id)
        for file_id, item in content.objects.items()
        if item.certain and item.class_name != "GameObject" and item.class_name not in COMPONENTS
    ]


def _packed_in(subject: Subject, found: AssetInfo, project: Snapshot) -> list[AssetRow] | None:
    """Return the contents of a group or sprite atlas, else None.

    Raises:
        FileError: the asset cannot be read; the message gives the reason.
    """
    extension = extension_of(found.path)
    asset = project.assets.by_guid(subject.guid)
    if extension in _ATLASES:
        guids = [row.guid for row in dependencies_of(subject, project, AssetGraph(project), deep=False)]
    elif asset is not None and asset.script == GROUP_SCRIPT:
        try:
            guids = [entry.guid for entry in read_group(project.read(found.path) or b"").entries]
        except FormatError as error:
            raise FileError(f"{found.path}: {error}") from error
    else:
        return None
    rows = [describe(guid, project) for guid in guids]
    return sorted(
        AssetRow(
            row.path or row.guid,
            row.type,
            row.guid,
            size_of(project, row.path) if row.path and not folder_of(Subject(row.guid, None), project) else 0,
        )
        for row in rows
    )


def list_folder(subject: Subject, project: Snapshot, *, deep: bool) -> Contents:
    """Return a folder's folders, empty ones included, and assets.

    Args:
        subject: the folder.
        project: where it is.
        deep: whether to list assets of subfolders, instead of the subfolders.
    """
    above = f"{folder_of(subject, project)}/"
    folders: dict[str, list[int]] = {}
    rows = []
    for path, guid in content_of(subject, project).items():
        inner, _, rest = path[len(above) :].partition("/")
        found = project.without_entry(path)
        known = describe_asset(found.asset, project) if found is not None else describe(guid, project)
        size = size_of(project, path)
        if rest and not deep:
            folders.setdefault(inner, []).append(size)
        else:
            rows.append(AssetRow(path, known.type, known.guid, size))
    guids = {path: guid for guid, path in project.database.folders()}
    for path in guids if not deep else ():
        if path.startswith(above):
            folders.setdefault(path[len(above) :].partition("/")[0], [])
    tops = [
        AssetRow(above + name, "folder", guids.get(above + name, ""), sum(sizes)) for name, sizes in folders.items()
    ]
    return Contents([], [], [*sorted(tops), *sorted(rows)], truncated=False)


def has_hierarchy(path: str) -> bool:
    """Whether a path is of a prefab, scene or model."""
    extension = extension_of(path)
    return extension in HIERARCHIES or kind_of(extension).namer == _MODEL


def why_unreadable(resolver: Resolver, guid: str, reason: str) -> str:
    """Return a message for an asset that cannot be listed, with advice."""
    return f"{_path(resolver, guid) or guid}: {_REASONS.get(reason, reason)}"


_REASONS: Final = {
    TOO_LARGE: f"has more than {LARGEST >> 20} MiB, and no larger file is opened",
    "lfs-pointer": "is a Git LFS pointer: run `git lfs pull`",
    LINK_OUT: "is a link out of the project: set follow-links = true in the user's own settings to have it followed",
    "target-absent": "is empty or absent",
    UNREADABLE: "cannot be read: check its permissions, or the disk",
    "importer-unknown": "is binary or not Unity's YAML: save it as text (Asset Serialization: Force Text)",
    "missing-asset": "no asset has this GUID",
    "package-not-present": "is in a package that is not on this machine: open the project in Unity once",
    "dangling": "has no objects",
}
