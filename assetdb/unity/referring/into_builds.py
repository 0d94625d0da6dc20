"""References of a text asset that a build follows.

A build follows references of the objects that it writes, which are not all of an asset:

- a GUID alone (``m_AssetGUID`` of an AssetReference, ``m_SourceFontFileGUID``) is loaded by key, or used by the editor;
- an instance of a prefab or a model is expanded, with the targets of its objects; the prefab itself is not included
  unless something else refers to it;
- code is built separately, and fields whose names mark them as the editor's by convention are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.kinds import GRAPH, SOURCE, URLS, kind_of
from assetdb.unity.referring.other_forms import other_references, yaml_json_references
from assetdb.unity.referring.texts import without_texts
from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.objects import PREFAB_INSTANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

# Begins with a literal, which is searched for at the speed of memory; with the key before it, it takes a hundred times
# as long (minutes for a build of unity-explorer, instead of two seconds).
_REFERENCE: Final = re.compile(rb"\{fileID:\s*(-?\d{1,19}),\s*guid:\s*([0-9a-fA-F]{32}),")
_KEY: Final = re.compile(rb"([A-Za-z_][\w.]*): *\Z")
_KEY_REACH: Final = 100
_OF_INSTANCES: Final = frozenset((b"m_CorrespondingSourceObject", b"m_PrefabParentObject", b"m_PrefabInternal"))
_OVERRIDE: Final = b"objectReference"
_EDITORS: Final = (b"_EditorRef", b"_editorRef", b"_EditorOnly")
_NOT_FOLLOWED: Final = frozenset((b"m_Script", b"m_PrefabAsset"))


class Taken(NamedTuple):
    """The parts of another asset that an asset uses.

    Attributes:
        guid: of the other asset, 32 hex digits in lower case.
        file_ids: the objects that are referred to; empty if there is only an instance.
        instance: whether there is an instance of it.
    """

    guid: str
    file_ids: frozenset[int]
    instance: bool


def taken_by(data: bytes, extension: str) -> list[Taken]:
    """Return the used parts of other assets, by GUID.

    Args:
        data: the asset.
        extension: in lower case, without the dot.
    """
    file_ids: dict[str, set[int]] = {}
    instances: set[str] = set()
    for guid, file_id, instance in _references(data, extension):
        found = file_ids.setdefault(guid, set())
        if instance:
            instances.add(guid)
        else:
            found.add(file_id)
    return [Taken(guid, frozenset(ids), guid in instances) for guid, ids in sorted(file_ids.items())]


def _references(data: bytes, extension: str) -> Iterator[tuple[str, int, bool]]:
    content = kind_of(extension).content
    if content in (GRAPH, URLS):
        others = other_references(data, extension)
    else:
        others = yaml_json_references(data)
        yield from _in_documents(without_texts(data), is_source=content == SOURCE)
    for other in others:
        if other.file_id is not None:
            yield other.guid.hex(), other.file_id, False


def _in_documents(data: bytes, *, is_source: bool) -> Iterator[tuple[str, int, bool]]:
    placed = [] if is_source else [row for row in documents(data) if row.class_id == PREFAB_INSTANCE]
    starts = [row.start for row in placed]
    for found in _REFERENCE.finditer(data):
        key = _key_before(data, found.start())
        if key not in _NOT_FOLLOWED and not key.endswith(_EDITORS):
            place = bisect_right(starts, found.start()) - 1
            inside = place >= 0 and found.start() < placed[place].end
            instance = key in _OF_INSTANCES or (inside and key != _OVERRIDE)
            yield found[2].decode().lower(), int(found[1]), instance


def _key_before(data: bytes, position: int) -> bytes:
    """Return the key before a value on its line, or ``b""``."""
    found = _KEY.search(data, max(data.rfind(b"\n", 0, position) + 1, position - _KEY_REACH), position)
    return found[1] if found is not None else b""
