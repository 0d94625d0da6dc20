"""The verdict on each key, by the files read or individually."""

from __future__ import annotations

from array import array
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from assetdb.checks.verdicts.extracting import fault_code, parts_of, property_of
from assetdb.checks.verdicts.processing import ALONE, in_parts
from assetdb.query.graph.verdicts import ABSENT, BROKEN, IN_PACKAGE, MISSING, NAMED, NO_REFERENCE, OUTSIDE, judge
from assetdb.resolve.resolver import WRONG_TYPE
from assetdb.system.cancelling import check_cancelled
from assetdb.unity.engine.expected_classes import is_other_kind
from assetdb.unity.kinds import (
    ASSEMBLY,
    DOCUMENTS,
    GRAPH,
    OTHER,
    SCRIPT_MAIN,
    STREAMED,
    URLS,
    extension_of,
    is_streamed,
    kind_of,
    main_file_id,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from assetdb.checks.verdicts.processing import Processing
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.resolve.resolver import Resolver
    from assetdb.store.database import Database

Outcome: TypeAlias = tuple[str, str]
"""Kind and reason of a verdict."""
PLAIN: Final = frozenset((NAMED, IN_PACKAGE, ABSENT, NO_REFERENCE))
"""Kinds of verdicts that are not problems."""
NOWHERE: Final = frozenset((MISSING, OUTSIDE))
"""Kinds of verdicts on GUIDs that nothing here has."""
_NAMED: Final = (NAMED, "")
_GUID_DIGITS: Final = 32
_SCRIPT_MAIN: Final = b"%d" % SCRIPT_MAIN
_PREFAB_MAIN: Final = b"100100000"
_STREAMED: Final = STREAMED.encode()
_BUILT_IN: Final = "0000000000000000"
_MODEL: Final = "model"
_NO_IDS: Final[Container[int | None]] = ()
_NO_DOCUMENTS: Final = (OTHER, ASSEMBLY, GRAPH, URLS)


class Known(NamedTuple):
    """Facts of the project's files that verdicts depend on.

    Attributes:
        places: path of the asset or folder of each unshared GUID (32 digits).
        folders: GUIDs of folders.
        anchors: by path the fileIDs of the objects in a file made of documents, int64 each.
        database_is_current: whether the database matches the current files.
    """

    places: Mapping[bytes, bytes]
    folders: frozenset[bytes]
    anchors: Mapping[bytes, bytes]
    database_is_current: bool = False


NOTHING_KNOWN: Final = Known({}, frozenset(), {})
CURRENT: Final = NOTHING_KNOWN._replace(database_is_current=True)
"""No facts, except that the database is current."""


def decide(
    project: Snapshot, keys: Sequence[bytes], known: Known = NOTHING_KNOWN, processing: Processing = ALONE
) -> dict[bytes, Outcome]:
    """Return the verdict on each key.

    Args:
        project: brought up to date.
        keys: in any order.
        known: facts that save reading files again; verdicts are the same without.
        processing: how many processes judge how many keys.

    Raises:
        ScanError: an asset cannot be read now.
    """
    certain = _certain(known)
    found: dict[bytes, Outcome] = {}
    others: list[bytes] = []
    for key in keys:
        if name := property_of(key):
            found[key] = _kind_outcome(project, key, name)
        elif certain(key):
            found[key] = _NAMED
        elif code := fault_code(key):
            found[key] = BROKEN, code
        else:
            others.append(key)
    others.sort()
    if known.database_is_current:
        sprites = _sprites(project.database, others)
        found.update(dict.fromkeys(sprites, _NAMED))
        others = [key for key in others if key not in sprites]
    for made in in_parts(
        partial(_judged, project),
        others,
        processing.keys,
        processing.workers,
        part_of=lambda key: int(key[:4], 16),  # all references to one asset go to one process, which reads it once
    ):
        found.update(made["outcomes"])
        project.resolver.examined.update(made["examined"])
    return found


def _kind_outcome(project: Snapshot, key: bytes, name: str) -> Outcome:
    """Return the verdict on the kind of a property's target, if known."""
    guid, digits, _ = key.split(b" ")
    asset = project.database.by_guid(guid.decode())
    folder = project.database.folder(guid.decode()) if asset is None else None
    path = asset.path if asset is not None else folder or ""
    is_wrong = bool(path) and is_other_kind(name, int(digits), path, folder=folder is not None)
    return (BROKEN, WRONG_TYPE) if is_wrong else (NO_REFERENCE, "")


def _judged(project: Snapshot, _part: int, keys: Sequence[bytes]) -> dict[str, Any]:
    """Return verdicts on keys ordered by GUID, and the examined assets."""
    resolver = project.resolver
    found: dict[bytes, Outcome] = {}
    holder, table = "", _NO_IDS
    for key in keys:
        guid, file_id, override, candidate = parts_of(key)
        if guid != holder:
            holder, table = guid, _table_of(resolver, guid)
        if file_id in table:
            found[key] = _NAMED
            continue
        verdict = judge(resolver, guid, file_id, override=override, candidate=candidate)
        found[key] = verdict.kind, verdict.reason
        check_cancelled()
    return {"outcomes": found, "examined": list(resolver.examined)}


def _table_of(resolver: Resolver, guid: str) -> Container[int | None]:
    """Return the fileIDs that a model's meta names."""
    location = resolver.locate(guid) if not guid.startswith(_BUILT_IN) else None
    if location is None or location.folder or location.package or location.absent:
        return _NO_IDS
    if is_streamed(location.path, location.class_id):
        return _NO_IDS
    if kind_of(extension_of(location.path)).namer != _MODEL:
        return _NO_IDS
    from assetdb.resolve.imported import ids_in_table  # noqa: PLC0415 - projects with models only

    resolver.examined.add(guid)
    return ids_in_table(location.file)


def _sprites(database: Database, keys: Iterable[bytes]) -> set[bytes]:
    """Return, in order, the keys of sprites that the database has.

    These are 77,000 of unitystation's 129,422 keys; their 24,800 metas need not be read.
    """
    found: set[bytes] = set()
    for guid, group in groupby(keys, lambda key: key[:_GUID_DIGITS]):
        asset = database.by_guid(guid.decode())
        if asset is None or not asset.sub_assets or is_streamed(asset.path, asset.class_id):
            continue
        if kind_of(extension_of(asset.path)).namer == "texture":
            rows = {b"%d" % row.file_id for row in asset.sub_assets}
            found.update(key for key in group if key[_GUID_DIGITS + 1 : key.rindex(b" ")] in rows)
    return found


def _certain(known: Known) -> Callable[[bytes], bool]:
    """Return a predicate for certain keys, which takes 0.5 us (judging: 170).

    The asset is the project's own with an unshared GUID, and the key means it as a whole, or an object whose document
    is in the file.
    """
    kinds: dict[str, tuple[str, bytes]] = {}
    objects: dict[bytes, frozenset[int]] = {}
    places, folders, anchors, _ = known

    def is_certain(key: bytes) -> bool:
        guid = key[:_GUID_DIGITS]
        path = places.get(guid)
        if path is None:
            return False
        digits = key[_GUID_DIGITS + 1 : key.rindex(b" ")]
        if not digits:
            return True
        if guid in folders:
            return digits != _SCRIPT_MAIN
        if path.startswith(_STREAMED):
            return False
        name = path.rpartition(b"/")[2]
        stem, _, end = name.rpartition(b".")
        extension = end.lower().decode("utf-8", "replace") if stem else ""
        kind = kinds.get(extension)
        if kind is None:
            main = main_file_id(extension)
            kind = kinds[extension] = kind_of(extension).content, b"%d" % main if main is not None else b"none"
        content, main_digits = kind
        if content in _NO_DOCUMENTS:
            return digits == main_digits
        if content != DOCUMENTS or path not in anchors:
            return False
        if digits == _PREFAB_MAIN:
            return extension == "prefab"
        held = objects.get(path)
        if held is None:
            held = objects[path] = frozenset(array("q", anchors[path]))
        return int(digits) in held

    return is_certain
