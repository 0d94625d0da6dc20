"""Objects of one text asset: hierarchy, prefab instances, overrides.

A prefab, scene or ``.asset`` is a sequence of documents, each one object (``assetdb.unity.yaml.documents``). Naming
needs a few lines of a few objects, and only these are searched for. No YAML is parsed and no pattern is compiled: a
command that names one object would take longer to compile it than to read the file.
"""

from __future__ import annotations

from assetdb.unity.kinds import TEXT_HEAD_BYTES, kind_without_documents
from assetdb.unity.yaml.documents import cut
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final


GAME_OBJECT: Final = 1
MONO_BEHAVIOUR: Final = 114
OVERRIDE_TARGET: Final = b"- target: "
"""Text before the object that an instance overrides, in its ``m_Modifications``."""
PREFAB_INSTANCE: Final = 1001
"""``PrefabInstance``; before 2018.3 ``Prefab``, also of the prefab asset itself."""

MAX_ID: Final = 1 << 63
MAX_CLASS: Final = 1 << 32
_LONGEST_NUMBER: Final = 20
_GUID_DIGITS: Final = 32
_BLANKS: Final = (b"\n", b"\r", b"\t")  # between the lines of a text there may be lines of blanks alone
_HEX: Final = "0123456789abcdefABCDEF"
_PLAIN_HEX: Final = b"0123456789abcdef"
_OPENING: Final = b" {fileID: "
_PLAIN_REACH: Final = 80  # 20 digits, 8 bytes, a GUID, and its type
_GUID_ENDS: Final = (b",", b"}", b"")
NO_GUID: Final = "0" * _GUID_DIGITS
"""The GUID of no asset, also in place of an empty one."""
_GUID_REACH: Final = 64  # between a fileID's end and its GUID there are 8 bytes, or a line break and an indent


class Target(NamedTuple):
    """The target of a reference; GUID ``""`` means the same file."""

    file_id: int
    guid: str


NOTHING: Final = Target(0, "")


class TextObject(NamedTuple):
    """One document of a text asset.

    Attributes:
        class_id: Unity's class number.
        file_id: the anchor.
        stripped: whether it is a placeholder for an object of a prefab, the ``source``.
        body: its lines after the header, each after a line feed.
    """

    class_id: int
    file_id: int
    stripped: bool
    body: bytes

    @property
    def name(self) -> str:
        """``m_Name``, or ``""``."""
        return _scalar(self.body, b"\n  m_Name:", 2)

    @property
    def game_object(self) -> int:
        """FileID of a component's GameObject, else 0."""
        return _reference(self.body, b"\n  m_GameObject:").file_id

    @property
    def father(self) -> int:
        """FileID of the parent Transform of a Transform, 0 for a root."""
        return _reference(self.body, b"\n  m_Father:").file_id

    @property
    def transform(self) -> int:
        """FileID of a GameObject's first component, its Transform, or 0."""
        start = self.body.find(b"\n  m_Component:")
        # ``- component: {fileID: 4}``, before 5.5 ``- 4: {fileID: 400000}``
        return _reference(self.body, b": {", start + 15).file_id if start >= 0 else 0

    @property
    def script(self) -> Target:
        """``m_Script`` of a MonoBehaviour."""
        return _reference(self.body, b"\n  m_Script:")

    @property
    def source(self) -> Target:
        """The source object (``m_PrefabParentObject`` before 2018.3)."""
        found = _reference(self.body, b"\n  m_CorrespondingSourceObject:")
        return found if found.file_id else _reference(self.body, b"\n  m_PrefabParentObject:")

    @property
    def instance(self) -> int:
        """FileID of the object's PrefabInstance in this file, or 0."""
        found = _reference(self.body, b"\n  m_PrefabInstance:")
        return (found if found.file_id else _reference(self.body, b"\n  m_PrefabInternal:")).file_id

    @property
    def source_prefab(self) -> str:
        """GUID of a PrefabInstance's source, or ``""``."""
        found = _reference(self.body, b"\n  m_SourcePrefab:")
        return (found if found.guid else _reference(self.body, b"\n  m_ParentPrefab:")).guid

    @property
    def transform_parent(self) -> int:
        """FileID of a PrefabInstance's parent Transform, 0 for a root."""
        return _reference(self.body, b"\n    m_TransformParent:").file_id

    def overridden_names(self) -> dict[int, str]:
        """Return names that a PrefabInstance overrides, by source fileID."""
        names = {}
        body = self.body
        key = b"\n      propertyPath: m_Name\n"
        target, searched = -1, 0
        position = body.find(key)
        while position >= 0:
            nearer = body.rfind(b"\n    - target:", searched, position)  # not from the start: many may have none
            target, searched = nearer if nearer >= 0 else target, position
            if target >= 0:
                value = position + len(key) - 1
                if body.startswith(b"\n      value:", value):
                    names[_written(body, b" target:", target)[0]] = _scalar(body, b"\n      value:", 6, value)
            position = body.find(key, position + len(key) - 1)
        return names


class TextObjects:
    """The objects of a text asset by fileID, in file order.

    A binary asset is read in the form that it would have as text.

    Attributes:
        kind: ``yaml``, or else ``lfs``, ``empty``, ``binary`` or ``text``.
        objects: by fileID; of two with one fileID the first.
        instances: the PrefabInstances that have a source.
    """

    def __init__(self, data: bytes) -> None:
        if data.startswith(b"\0"):
            from assetdb.unity.binary.opening import as_text  # noqa: PLC0415 - projects with binary assets only

            data = as_text(data)
        if data.find(b"\r", 0, TEXT_HEAD_BYTES) >= 0:
            data = data.replace(b"\r\n", b"\n")
        objects: dict[int, TextObject] = {}
        self.objects: Mapping[int, TextObject] = objects
        self.kind = ""
        make = TextObject._make
        for class_id, file_id, stripped, start, end in cut(data):
            self.kind = "yaml"
            if class_id < MAX_CLASS and -MAX_ID <= file_id < MAX_ID and file_id not in objects:
                objects[file_id] = make((class_id, file_id, stripped, data[start:end]))
        self.kind = self.kind or kind_without_documents(data)
        self._instances: list[tuple[int, str]] | None = None

    @property
    def instances(self) -> list[tuple[int, str]]:
        """FileID and source GUID of PrefabInstances with a source, in order."""
        if self._instances is None:
            found = []
            for item in self.objects.values():
                if item.class_id == PREFAB_INSTANCE:
                    source = item.source_prefab
                    if source:
                        found.append((item.file_id, source))
            self._instances = found
        return self._instances

    @property
    def main(self) -> TextObject | None:
        """The first object: the asset itself, except in prefabs and scenes."""
        return next(iter(self.objects.values()), None)


def _number(digits: bytes) -> int:
    """Return an integer, or 0 if there is none."""
    digits = digits.strip()
    if len(digits) > _LONGEST_NUMBER or not digits.removeprefix(b"-").isdigit():
        return 0
    return int(digits)


def is_guid(text: str) -> bool:
    """Whether a text is 32 hexadecimal digits."""
    return len(text) == _GUID_DIGITS and not text.strip(_HEX)


def _reference(body: bytes, key: bytes, start: int = 0) -> Target:
    """Return the reference after the first ``key`` from ``start`` on.

    A GUID of zeros, or one that Unity cannot read, makes it a reference to nothing.
    """
    file_id, guid = _written(body, key, start)
    return NOTHING if guid is None else Target(file_id, guid)


def _written(body: bytes, key: bytes, start: int) -> tuple[int, str | None]:
    """Return fileID and GUID of a reference, None if unreadable or zeros."""
    found = body.find(key, start)
    if found < 0:
        return NOTHING
    found += len(key)
    if body.startswith(_OPENING, found):  # as Unity writes it: byte by byte this took a tenth of a first check
        opening = found + len(_OPENING)
        closing = max(body.find(b"}", opening, opening + _PLAIN_REACH), opening)
        number, comma, rest = body[opening:closing].partition(b", guid: ")
        if number.removeprefix(b"-").isdigit() and len(number) <= _LONGEST_NUMBER:
            if not comma:
                return int(number), ""
            plain = rest[:_GUID_DIGITS]
            if rest[_GUID_DIGITS : _GUID_DIGITS + 1] == b"," and not plain.strip(_PLAIN_HEX):
                return int(number), plain.decode() if plain.strip(b"0") else None
    opening = body.find(b"fileID:", found, found + _GUID_REACH)
    if opening < 0 or body[found:opening].strip() not in (b"{", b""):  # b"": the key has the brace
        return NOTHING
    opening += 7
    closing = opening
    while closing - opening < _GUID_REACH and body[closing : closing + 1] not in (b",", b"}", b"\n", b""):
        closing += 1
    file_id = _number(body[opening:closing])
    if body[closing : closing + 1] != b",":
        return file_id, ""
    guid = body.find(b"guid:", closing, closing + _GUID_REACH)
    if guid < 0:
        return file_id, ""
    written = body[guid + 5 : guid + 5 + _GUID_REACH].lstrip()
    digits = written[:_GUID_DIGITS].decode("ascii", "replace").lower()
    end = written[_GUID_DIGITS : _GUID_DIGITS + 1]
    is_read = is_guid(digits) and (end in _GUID_ENDS or end.isspace())
    return file_id, digits if is_read and digits != NO_GUID else None


def _scalar(body: bytes, key: bytes, indent: int, start: int = 0) -> str:
    """Return the text after the first ``key`` from ``start`` on."""
    found = body.find(key, start)
    if found < 0:
        return ""
    found += len(key)
    end = body.find(b"\n", found)
    end = len(body) if end < 0 else end
    line = body[found:end].strip(b" \t\r")
    if not line:
        return ""
    wrapped = body.startswith(b"\n" + b" " * (indent + 1), end) or body[end + 1 : end + 2] in _BLANKS
    if wrapped or line[:1] in (b"'", b'"'):
        from assetdb.unity.yaml.scalars import scalar_at  # noqa: PLC0415 - one name of a hundred needs its patterns

        return scalar_at(body, found, indent)
    return line.decode("utf-8", "replace")
