"""Components of which Unity uses one at a time: AudioListener, EventSystem."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.scalars import scalar_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assetdb.unity.yaml.documents import Document

LISTENER: Final = "AudioListener"
EVENT_SYSTEM: Final = "EventSystem"
_MARKS: Final = {
    LISTENER: re.compile(rb"\n--- !u!81 &"),
    # Its script in com.unity.ugui, and the class in the DLL of Unity up to 2018.
    EVENT_SYSTEM: re.compile(
        rb"\{fileID: (?:11500000, guid: 76c392e42b5098c458856cdf6ecaaaa1"
        rb"|-619905303, guid: f70555f144d8491a825f0804e09c671c),"
    ),
}
_GAME_OBJECT: Final = 1
_LISTENER: Final = 81
_BEHAVIOUR: Final = 114
_INSTANCE: Final = 1001
_TRANSFORMS: Final = (4, 224)
_ENABLED: Final = b"\n  m_Enabled: 1"
_ACTIVE: Final = b"\n  m_IsActive: 1"
_NAME: Final = b"\n  m_Name:"
_COLUMN: Final = 2
_OWNER: Final = re.compile(rb"\n  m_GameObject: \{fileID: (-?\d{1,19})\}")
_FATHER: Final = re.compile(rb"\n  m_Father: \{fileID: (-?\d{1,19})\}")
_AT_ROOT: Final = b"\n    m_TransformParent: {fileID: 0}"
_SOURCE: Final = re.compile(rb"\n  m_SourcePrefab: \{fileID: 100100000, guid: ([0-9a-f]{32}),")
_CHANGED: Final = re.compile(rb"propertyPath: m_(?:IsActive|Enabled)\b|\n    m_Removed\w{1,40}:\r?\n")


class Singleton(NamedTuple):
    """A component in use as soon as its file is loaded.

    Attributes:
        kind: :data:`LISTENER` or :data:`EVENT_SYSTEM`.
        owner: name of its GameObject.
        offset: of its document in the file.
    """

    kind: str
    owner: str
    offset: int


class Singletons(NamedTuple):
    """The singletons of a prefab or scene.

    Attributes:
        own: active and enabled ones of the file itself.
        instances: GUIDs of prefabs that the file has at its root as they are, and the offset of each instance.
    """

    own: tuple[Singleton, ...]
    instances: tuple[tuple[str, int], ...]


def read_singletons(data: bytes) -> Singletons:
    """Return the singletons that are certainly in use."""
    every = documents(data) if any(mark.search(data) for mark in _MARKS.values()) or b"m_SourcePrefab" in data else []
    by_id = {item.file_id: item for item in every}
    above: dict[int, int] = {}  # the Transform of each GameObject
    for item in every:
        if item.class_id in _TRANSFORMS and not item.stripped:
            above[_number(_OWNER, data, item)] = item.file_id
    own = []
    known: dict[int, bool] = {}
    for item in every:
        kind = "" if item.stripped else _kind(data, item)
        owner = by_id.get(_number(_OWNER, data, item)) if kind and _has(data, item, _ENABLED) else None
        if owner is not None and _is_active(data, owner, by_id, above, known):
            name = data.find(_NAME, owner.start, owner.end)
            named = scalar_at(data, name + len(_NAME), _COLUMN) if name >= 0 else ""
            own.append(Singleton(kind, named, item.start))
    return Singletons(tuple(own), tuple(_instances(data, every)))


def singletons_of(rows: list[Any]) -> Singletons:
    """Return singletons of their JSON.

    Raises:
        ValueError, TypeError: they are of another form.
    """
    own, instances = rows
    return Singletons(
        tuple(Singleton(str(kind), str(owner), int(offset)) for kind, owner, offset in own),
        tuple((str(guid), int(offset)) for guid, offset in instances),
    )


def _kind(data: bytes, item: Document) -> str:
    if item.class_id == _LISTENER:
        return LISTENER
    is_system = item.class_id == _BEHAVIOUR and _MARKS[EVENT_SYSTEM].search(data, item.start, item.end)
    return EVENT_SYSTEM if is_system else ""


def _is_active(
    data: bytes, owner: Document, by_id: Mapping[int, Document], above: Mapping[int, int], known: dict[int, bool]
) -> bool:
    """Whether a GameObject and all above it certainly are active.

    ``known`` has the answers for GameObjects so far: of thousands below each other each is looked at once.
    """
    chain: list[int] = []
    found = False
    while owner.file_id not in known:
        known[owner.file_id] = False  # until it is found out, and in a circle
        chain.append(owner.file_id)
        place = by_id.get(above.get(owner.file_id, 0))
        if owner.stripped or place is None or not _has(data, owner, _ACTIVE):
            break
        father = _FATHER.search(data, place.start, place.end)
        if father is None or not int(father[1]):
            found = father is not None
            break
        parent = by_id.get(int(father[1]))
        following = by_id.get(_number(_OWNER, data, parent)) if parent is not None else None
        if following is None:
            break
        owner = following
    else:
        found = known[owner.file_id]
    known.update(dict.fromkeys(chain, found))
    return found


def _instances(data: bytes, every: list[Document]) -> Iterator[tuple[str, int]]:
    """Yield prefabs at the root with switches as they were."""
    for item in every:
        if item.class_id == _INSTANCE and not item.stripped and _has(data, item, _AT_ROOT):
            source = _SOURCE.search(data, item.start, item.end)
            if source is not None and not _CHANGED.search(data, item.start, item.end):
                yield source[1].decode(), item.start


def _has(data: bytes, item: Document, text: bytes) -> bool:
    return data.find(text, item.start, item.end) >= 0


def _number(pattern: re.Pattern[bytes], data: bytes, item: Document) -> int:
    found = pattern.search(data, item.start, item.end)
    return int(found[1]) if found else 0
