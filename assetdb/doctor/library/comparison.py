"""Differences between assetdb's answers and the editor's own asset database.

The editor's rows are compared one by one; of an asset whose objects it lists completely, so is the list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import FileError
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.relations import dependencies_of
from assetdb.query.listing import BETWEEN, contents_of, has_hierarchy
from assetdb.query.selecting.selector import Subject
from assetdb.resolve.instances import Imported
from assetdb.unity.engine.classes import class_name, class_number
from assetdb.unity.kinds import extension_of, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from assetdb.query.listing import Contents
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.resolve.resolver import Name

MAIN: Final = "main"
"""The part of a main object."""
SUB: Final = "sub"
"""The part of an object that the project window shows below its asset."""
INNER: Final = "deep"
"""The part of all other objects that an importer made."""

NO_NAME: Final = "no name"
WRONG_NAME: Final = "wrong name"
OTHER_PARENTS: Final = "right name, other parents"
WRONG_TYPE: Final = "wrong type"
WRONG_MAIN: Final = "wrong main object"
WRONG_ASSET_TYPE: Final = "wrong type of the asset"
UNKNOWN_ASSET: Final = "unknown asset"
INVENTED: Final = "listed, and not in Unity"
TWICE: Final = "listed twice"
NOT_LISTED: Final = "not listed"
UNREADABLE: Final = "cannot be listed"
NO_REFERENCE: Final = "reference that only Unity has"
OWN_REFERENCE: Final = "reference that Unity lacks"

_SCRIPTS: Final = ("MonoBehaviour", "MonoScript")
_PREFABS: Final = ("GameObject", "Prefab")
_LOGS: Final = ("AssetImporterLog", "ImportLog")  # two names of one class
_PREFAB: Final = "prefab"
_NOT_SHOWN: Final = ("model", "scripted")  # namers of importers that hide some of their objects
_BUILT_IN: Final = "0000000000000000"


class EditorObject(NamedTuple):
    """An object of an asset as the editor has it.

    Attributes:
        guid: 32 hex digits.
        path: of the asset when the editor imported it.
        part: ``MAIN``, ``SUB`` or ``INNER``.
        type: its class, ``""`` if not known.
        script: the class of a MonoBehaviour or MonoScript with its namespace, else of no meaning.
        way: the names of GameObjects from the root to this one or to its own, else ``()``.
    """

    guid: str
    path: str
    part: str
    file_id: int
    type: str
    script: str
    name: str
    way: tuple[str, ...] = ()


class EditorReference(NamedTuple):
    """A reference from one asset to another as the editor has it."""

    guid: str
    path: str
    target: str
    target_path: str


class Difference(NamedTuple):
    """An answer that is not the editor's.

    Attributes:
        kind: one of the texts above.
        path: of the asset.
        file_id: of the object, 0 for the asset as a whole.
        type: the editor's class of the object, or ours if the editor lacks it.
        editor: what the editor says.
        ours: what assetdb says.
    """

    kind: str
    path: str
    file_id: int
    type: str
    editor: str
    ours: str


def compare_objects(rows: Iterable[EditorObject], project: Snapshot) -> Iterator[Difference]:
    """Yield the rows with another name, type or role than ours."""
    for row in rows:
        found = _difference(row, project)
        if found is not None:
            kind, editor, ours = found
            yield Difference(kind, row.path, row.file_id, row.type, editor, ours)


def _difference(row: EditorObject, project: Snapshot) -> tuple[str, str, str] | None:
    """Return kind and both words of a difference."""
    resolver = project.resolver
    location = resolver.locate(row.guid)
    if location is None:
        return UNKNOWN_ASSET, row.name, ""
    if location.folder:
        return None if row.type == "DefaultAsset" else (WRONG_TYPE, row.type, "Folder")
    found = resolver.name(row.guid, row.file_id)
    if not found.name:
        return NO_NAME, _text(row), found.reason
    label = location.path.rpartition("/")[2]
    is_main = _label_of(found) in (label, f"{label} (GameObject)")
    own = resolver.hierarchy(row.guid, row.file_id) or (label.rpartition(".")[0] if is_main else "")
    if row.part == MAIN and not is_main:
        return WRONG_MAIN, _text(row), found.name
    if is_main and (row.part == SUB or len(row.way) > 1) and row.type == "GameObject":
        return WRONG_NAME, _text(row), found.name
    # It is in no file.
    is_log = row.type in _LOGS and found.name.endswith(tuple(f"{BETWEEN}{row.name} ({kind})" for kind in _LOGS))
    if not is_log and not _is_named(row, own, is_main=is_main):
        return WRONG_NAME, _text(row), found.name
    if not _is_type(row, found.type):
        return WRONG_TYPE, row.script or row.type, found.type
    asset = project.assets.by_guid(row.guid) if row.part == MAIN else None
    if asset is not None and not asset.script and not _is_type(row._replace(script=""), class_name(asset.class_id)):
        return WRONG_ASSET_TYPE, row.type, class_name(asset.class_id) or str(asset.class_id)
    # The root is called as its file, whose former name the editor may have.
    if row.way and own.split(BETWEEN)[1:] != BETWEEN.join(row.way).split(BETWEEN)[1:]:
        return OTHER_PARENTS, _text(row), found.name
    return None


def _label_of(found: Name) -> str:
    """Return the text of a name without its package."""
    return found.name.partition(" [")[0] if found.path.startswith("Packages/") else found.name


def _text(row: EditorObject) -> str:
    return BETWEEN.join(row.way) or row.name


def _is_named(row: EditorObject, own: str, *, is_main: bool) -> bool:
    names = {row.name} if row.name else set()
    if row.type == "MonoScript" and row.script:
        names.add(row.script)  # of a type in a DLL, assetdb gives the namespace, too
    if len(row.way) > 1:
        names.add(row.way[-1])
    if not names or (is_main and row.part == MAIN):
        return True
    return own in names or any(own.endswith(BETWEEN + name) for name in names)


def _is_type(row: EditorObject, ours: str) -> bool:
    if not row.type:
        return True
    if row.type == "MonoBehaviour" and row.script:
        return ours == row.script.rpartition(".")[2]
    if row.part == MAIN and row.type in _PREFABS:
        return ours in _PREFABS
    return ours == row.type or (class_number(ours) or ours) == (class_number(row.type) or row.type)


def compare_lists(rows: Iterable[EditorObject], project: Snapshot) -> Iterator[Difference]:
    """Yield objects of imports that a list lacks, invents or repeats.

    A model is compared if the editor's inner objects of it are among the rows, what has no documents if its main object
    is: all objects of it are in the project window.
    """
    by_guid: dict[str, dict[int, EditorObject]] = {}
    shown: dict[str, tuple[str, ...]] = {}
    for row in rows:
        by_guid.setdefault(row.guid, {})[row.file_id] = row
        if row.part == INNER and row.type == "GameObject":
            shown[row.guid] = (INNER,)
        elif row.part == MAIN and _has_no_documents(row, project):
            shown.setdefault(row.guid, (MAIN, SUB))
    for guid, parts in sorted(shown.items()):
        theirs = by_guid[guid]
        path = next(iter(theirs.values())).path
        try:
            ours = _listed(contents_of(Subject(guid, None), project))
        except FileError as error:
            yield Difference(UNREADABLE, path, 0, "", "", str(error))
            continue
        seen: set[int] = set()
        for file_id, name, kind in ours:
            if file_id in seen:
                yield Difference(TWICE, path, file_id, kind, "", name)
            elif file_id not in theirs:
                yield Difference(INVENTED, path, file_id, kind, "", name)
            seen.add(file_id)
        for file_id, row in theirs.items():
            is_told = row.part != INNER and not project.resolver.name(guid, file_id).name  # by compare_objects
            if row.part in parts and file_id not in seen and row.type not in _LOGS and not is_told:
                yield Difference(NOT_LISTED, path, file_id, row.type, _text(row), "")


def _has_no_documents(row: EditorObject, project: Snapshot) -> bool:
    """Whether an importer makes all objects of an asset, and shows them."""
    location = project.resolver.locate(row.guid)
    return (
        location is not None
        and not location.folder
        and kind_of(extension_of(location.path)).namer not in _NOT_SHOWN
        and not has_hierarchy(location.path)
        and isinstance(project.resolver.bounded_content(row.guid), Imported)
    )


def _listed(contents: Contents) -> Iterator[tuple[int, str, str]]:
    """Yield fileID, name and class of all objects in a list."""
    for row in contents.objects:
        yield row.file_id, BETWEEN.join(row.way), "GameObject"
        for part in row.components:
            yield part.file_id, BETWEEN.join(row.way), part.type
    for part_row in contents.parts:
        yield part_row.file_id, part_row.name, part_row.type


def compare_references(rows: Sequence[EditorReference], project: Snapshot) -> Iterator[Difference]:
    """Yield references that only one of both has, built-in targets excluded.

    The import of a prefab has the references of the prefabs in it, which in their own files are no difference.
    """
    graph = AssetGraph(project)
    by_guid: dict[str, dict[str, EditorReference]] = {}
    for row in rows:
        by_guid.setdefault(row.guid, {})[row.target] = row
    for guid, theirs in by_guid.items():
        path = next(iter(theirs.values())).path
        ours = {found.guid: found.path for found in dependencies_of(Subject(guid, None), project, graph, deep=False)}
        nested = _in_prefabs(guid, ours, project, graph)
        for target, row in theirs.items():
            if target not in ours and target not in nested and not target.startswith(_BUILT_IN):
                yield Difference(NO_REFERENCE, path, 0, "", row.target_path or target, "")
        for target, target_path in ours.items():
            if target not in theirs and not target.startswith(_BUILT_IN):
                yield Difference(OWN_REFERENCE, path, 0, "", "", target_path or target)


def _in_prefabs(guid: str, ours: Mapping[str, str], project: Snapshot, graph: AssetGraph) -> set[str]:
    """Return the targets of prefabs inside a prefab, at any depth."""
    found: set[str] = set()
    waiting = [other for other, path in ours.items() if extension_of(path) == _PREFAB]
    seen = {guid, *waiting}
    while waiting:
        for item in dependencies_of(Subject(waiting.pop(), None), project, graph, deep=False):
            found.add(item.guid)
            if extension_of(item.path) == _PREFAB and item.guid not in seen:
                seen.add(item.guid)
                waiting.append(item.guid)
    return found
