r"""References that do not look like ``{fileID: 11500000, guid: ..., type: 3}``.

The forms, all found in real projects:

- ``.asmdef``, ``.asmref``: ``"GUID:<guid>"``;
- ``.shadergraph``, ``.shadersubgraph``: JSON, in which values are JSON again, up to three times:
  ``"{\"texture\":{\"fileID\":2800000,\"guid\":\"<guid>\",...``, and plain ``"m_FunctionSource": "<guid>"``;
- ``.vfx``: YAML whose strings are JSON: ``m_SerializableObject: '{"obj":{"fileID":10202,"guid":"<guid>","type":0}}'``;
- ``.uxml``, ``.uss``, ``.tss``: URLs, ``project://database/Assets/a.uss?fileID=743...&amp;guid=<guid>&amp;type=3#a``;
- any YAML: scalars, ``m_GUID: <guid>`` (Addressables groups), ``m_AssetGUID:`` (AssetReference), ``m_SceneGUID:``,
  ``sourceFontFileGUID:``, ``prefabId:``, ``m_TableCollectionName: GUID:<guid>`` (Localization), and ``value: <guid>``
  where an instance of a prefab overrides one of them, or an item of a list.

A scalar of 32 hexadecimal digits can be something else (a hash, four integers of an array). So scalars are
*candidates*, which are references only if the project has an asset of that GUID.
"""

from __future__ import annotations

import re

from assetdb.unity.kinds import ASSEMBLY, GRAPH, URLS, kind_of
from assetdb.unity.referring.guids import ended_runs
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final


# Patterns are compiled on first use, and cached by re: together they take 2 ms, and most commands need none.
_GUID: Final = rb"([0-9a-fA-F]{32})"
_ASSEMBLY: Final = rb"(?i:\"GUID:)" + _GUID + rb"\""
# ``\"fileID\": 5, \n \"guid\": \"...``: quotes have 0, 1 or 3 (7, ...) backslashes, and so do the line ends between.
_QUOTE: Final = rb'\\{0,31}"'
_COLON: Final = rb"\s{0,9}:\s{0,9}"
_FILE_ID: Final = rb"fileID" + _QUOTE + _COLON + rb"(-?\d{1,19})\s{0,9},(?:\s|\\{1,31}[nrt]){0,99}"
_JSON: Final = _FILE_ID + _QUOTE + rb"guid" + _QUOTE + _COLON + _QUOTE + _GUID + rb"(?=" + _QUOTE + rb")"
_JSON_KEY: Final = rb'"([A-Za-z_]\w{0,99})' + _QUOTE + _COLON + _QUOTE
_JSON_SCALAR: Final = _JSON_KEY + rb"(?:GUID:)?" + _GUID + rb"(?=" + _QUOTE + rb")"
# Ids of nodes and slots within the graph: most scalars of a graph, and never an asset's ids.
_OWN_IDS: Final = frozenset((b"m_ObjectId", b"m_Id", b"guid", b"m_GuidSerialized", b"m_Guid"))
_URL: Final = rb"[?;&]fileID=(-?\d{1,19})&(?:amp;)?guid=" + _GUID + rb"(?![0-9a-zA-Z])"
# Three passes, each for a literal first, at 0.84, 2.2 and 3.1 GB/s: a pattern with the key runs at 0.27, one with the
# optional ``GUID:`` at 0.48, one for both kinds of value at 0.10 (126 MB of unitystation, 836 scalars).
_END: Final = rb"(?=[ \t]*(?:[\r\n]|\Z))"
_SCALAR: Final = rb": " + _GUID + _END
_ITEM: Final = rb"- " + _GUID + _END
_PREFIXED_SCALAR: Final = rb"GUID:" + _GUID + rb"(?![0-9a-zA-Z])"
_LAST_LINE: Final = rb"(?:\A|\n)[ \t-]*\"?([^\n:\"]{0,200})\"?: ?\Z"
_PROPERTY_PATH: Final = rb"(?:\A|\n)[ -]*propertyPath: ([^\r\n]{1,500})\r?\n[^\n]*\Z"
_LINE_LIMIT: Final = 1024
_NO_GUID: Final = b"0" * 32


class OtherReference(NamedTuple):
    """A reference in another form.

    Attributes:
        guid: 16 bytes, in the order of the 32 digits.
        file_id: the object, or None if the form names an asset as a whole.
        offset: of the first digit of the GUID, in bytes.
        key: the property that holds it (``m_AssetGUID``, ``m_FunctionSource``; for an override in a prefab instance
            its property path), or ``""`` if the form has none.
        candidate: whether it is a reference only if the project has that GUID.
    """

    guid: bytes
    file_id: int | None
    offset: int
    key: str
    candidate: bool


def other_references(data: bytes, extension: str) -> list[OtherReference]:
    """Return references in unusual forms, by offset.

    Args:
        data: the file.
        extension: without the dot, in any case; it selects the forms. Unknown ones are read as YAML.
    """
    content = kind_of(extension.lower()).content
    found: Iterable[OtherReference]
    if content == ASSEMBLY:
        found = _plain(_ASSEMBLY, data)
    elif content == URLS:
        found = _with_file_id(_URL, data)
    elif content == GRAPH:
        found = [*_with_file_id(_JSON, data), *_json_scalars(data)]
    else:
        found = [*_yaml_scalars(data), *yaml_json_references(data)]
    return sorted(found, key=_offset)


def yaml_json_references(data: bytes) -> list[OtherReference]:
    """Return the references in JSON strings of a YAML asset."""
    if b'"guid' not in data:
        return []
    return list(_with_file_id(_JSON, data))


def _offset(reference: OtherReference) -> int:
    return reference.offset


def _plain(pattern: bytes, data: bytes) -> Iterator[OtherReference]:
    for match in re.finditer(pattern, data):
        if match[1] != _NO_GUID:
            yield OtherReference(bytes.fromhex(match[1].decode()), None, match.start(1), "", candidate=False)


def _with_file_id(pattern: bytes, data: bytes) -> Iterator[OtherReference]:
    for match in re.finditer(pattern, data):
        file_id = int(match[1])
        if match[2] != _NO_GUID and -(1 << 63) <= file_id < 1 << 63:
            yield OtherReference(bytes.fromhex(match[2].decode()), file_id, match.start(2), "", candidate=False)


def _json_scalars(data: bytes) -> Iterator[OtherReference]:
    for match in re.finditer(_JSON_SCALAR, data):
        if match[1] not in _OWN_IDS and match[2] != _NO_GUID:
            guid = bytes.fromhex(match[2].decode())
            yield OtherReference(guid, None, match.start(2), match[1].decode(), candidate=True)


def _yaml_scalars(data: bytes) -> Iterator[OtherReference]:
    if b"GUID:" not in data and not ended_runs(data):  # of the 33,431 text files of unitystation 200 have
        return
    for pattern in (_SCALAR, _ITEM, _PREFIXED_SCALAR):
        certain = pattern is _PREFIXED_SCALAR
        for match in re.finditer(pattern, data):
            if match[1] != _NO_GUID:
                key = _key_before(data, match.start(1) - (5 if certain else 0))
                guid = bytes.fromhex(match[1].decode())
                yield OtherReference(guid, None, match.start(1), key, candidate=not certain)


def _key_before(data: bytes, position: int) -> str:
    """Return the key of a scalar, or its override path."""
    before = data[max(0, position - _LINE_LIMIT) : position]
    found = re.search(_LAST_LINE, before)
    if found is None:
        return ""
    key = found[1]
    if key == b"value":
        override = re.search(_PROPERTY_PATH, before)
        if override is not None:
            key = override[1]
    return key.decode(errors="replace").strip(" '\"")
