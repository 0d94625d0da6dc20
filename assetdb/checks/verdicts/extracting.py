"""Extraction of references, objects and nested prefabs from one asset.

Pure: bytes in, facts out. A reference is a *key*, ``b"<guid> <fileID> <flags>"``: 129,422 of unitystation's 531,255
references are distinct, and a key has one verdict.
"""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.query.graph.verdicts import YAML, form_of
from assetdb.unity.binary.opening import as_text
from assetdb.unity.content.layers import undeclared
from assetdb.unity.engine.expected_classes import MATERIALS, TYPED_PROPERTIES, written_materials
from assetdb.unity.kinds import DOCUMENTS, kind_of
from assetdb.unity.referring.guid_shapes import unread_guids
from assetdb.unity.referring.other_forms import other_references
from assetdb.unity.referring.texts import without_texts
from assetdb.unity.yaml.documents import cut
from assetdb.unity.yaml.judging.refusals import judge_of
from assetdb.unity.yaml.objects import OVERRIDE_TARGET, PREFAB_INSTANCE, TextObject
from assetdb.unity.yaml.structure import INVALID_GUID, Fault, find_faults

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.unity.engine.expected_classes import TypedReference
    from assetdb.unity.settings.tags import Tags

OVERRIDE: Final = b"t"
"""Flag of the target of an override, which may be stale."""
CANDIDATE: Final = b"c"
"""Flag of a scalar that is a reference only if something has that GUID."""
_REFERENCE: Final = re.compile(rb"\{fileID:\s{1,99}-?\d{1,20},\s{1,99}guid:\s{1,99}[0-9a-fA-F]{32}(?=[,}\s])")
_TYPED_REFERENCE: Final = re.compile(rb"\{fileID: (-?\d{1,20}),\s+guid: ([0-9a-fA-F]{32})")
# What is before a reference that counts as another one, too, by its last bytes.
_TAIL: Final = 8
_NAMES: Final = {
    name[-_TAIL:]: name for name in (OVERRIDE_TARGET, *(f"{name}: ".encode() for name in TYPED_PROPERTIES))
}
_DEEPEST: Final = 1000  # columns of a property: a line may have 400,000 references
# As Unity writes it, and neither is a zero: then the text has the parts of the key.
_USUAL: Final = re.compile(rb"\{fileID: (-?[1-9]\d*+), guid: (?!0{32})([0-9a-f]{32})")
_TYPED: Final = b"m_"
_NO_GUID: Final = b"0" * 32
_GUID_KEY: Final = b" guid:"
GUID_DIGITS: Final = 32
_MAX_ID: Final = 1 << 63
_MAX_CLASS: Final = 1 << 32


class Extract(NamedTuple):
    """The references and objects of a text asset.

    Attributes:
        references: how often each key occurs; faults of the file itself have keys, too (:func:`fault_key`).
        anchors: fileIDs of the objects whose documents are in the file (not stand-ins), int64 each; ``b""`` for other
            files.
        nested: GUIDs of the prefabs and models that objects of it come from, 32 digits each, in order.
    """

    references: dict[bytes, int]
    anchors: bytes
    nested: tuple[bytes, ...]


NO_ANCHORS: Final = b""
NOTHING: Final = Extract({}, NO_ANCHORS, ())
"""For a file that is not text."""


class Extractor:
    """Reads text assets, and caches references as text."""

    def __init__(self, *, libyaml: bool = False, tags: Tags | None = None) -> None:
        """Know no reference yet.

        Args:
            libyaml: whether Unity up to 2019.2 reads the assets.
            tags: the project's, None if they are unknown.
        """
        self._judge = judge_of(libyaml=libyaml)
        self._tags = tags
        self._keys: dict[bytes, bytes] = {}
        self._typed: dict[tuple[bytes, bytes], bytes] = {}

    def extract(self, data: bytes, extension: str) -> Extract:
        """Return the references of a text asset, for any input.

        Args:
            data: the file; a binary one is read in its text form.
            extension: in lower case, without the dot.
        """
        text = as_text(data)
        judge = self._judge if text is data else None  # no line of a binary file is one that Unity reads
        data = text
        references: dict[bytes, int] = {}
        has_documents = kind_of(extension).content == DOCUMENTS
        form = form_of(data, extension)
        if form == YAML:
            data = without_texts(data)
        documents = list(cut(data)) if has_documents and form == YAML else None
        if has_documents:
            for fault in find_faults(data, judge, documents):
                _add_fault(fault, references)
            for fault in undeclared(data, self._tags) if self._tags is not None and form == YAML else ():
                _add_fault(fault, references)
        if not form:
            return Extract(references, NO_ANCHORS, ()) if references else NOTHING
        written = self._add_written(data, references) if form == YAML else 0
        if form == YAML and data.count(_GUID_KEY) != written:  # in few files, and mostly it is a value's own key
            for fault in _invalid_guids(data):
                _add_fault(fault, references)
        for other in other_references(data, extension):
            key = key_of(other.guid.hex().encode(), other.file_id, override=False, candidate=other.candidate)
            references[key] = references.get(key, 0) + 1
        if documents is None:
            return Extract(references, NO_ANCHORS, ())
        return Extract(references, *_objects(data, documents))

    def _add_written(self, data: bytes, references: dict[bytes, int]) -> int:
        """Add references written ``{fileID: ..., guid: ...``; return their number.

        Those in properties of a known class have a second key, with the property. All are found by one search, since a
        pattern that begins with a line looks at each line of a file.
        """
        written: dict[bytes, int] = {}
        typed: dict[tuple[bytes, bytes], int] = {}
        number = 0
        for match in _REFERENCE.finditer(data):
            number += 1
            start, end = match.span()
            text = data[start:end]
            name = _NAMES.get(data[start - _TAIL : start]) if start >= _TAIL else None
            if name == OVERRIDE_TARGET:
                if data.endswith(OVERRIDE_TARGET, 0, start):
                    text = OVERRIDE_TARGET + text
            elif name is not None and _begins_line(data, start - len(name), name):
                in_property = name, text
                typed[in_property] = typed.get(in_property, 0) + 1
            written[text] = written.get(text, 0) + 1
        keys = self._keys
        for text, count in written.items():
            key = keys.get(text)
            if key is None:
                usual = _USUAL.fullmatch(text)
                key = keys[text] = b"%b %b " % (usual[2], usual[1]) if usual is not None else _key_of_text(text)
            if key:
                references[key] = references.get(key, 0) + count
        self._add_typed(data, typed, references)
        return number

    def _add_typed(self, data: bytes, typed: dict[tuple[bytes, bytes], int], references: dict[bytes, int]) -> None:
        keys = self._typed
        for in_property, count in typed.items():
            key = keys.get(in_property)
            if key is None:
                name, text = in_property
                parts = _TYPED_REFERENCE.fullmatch(text)
                key = _typed_key(name[:-2], parts[1], parts[2]) if parts is not None else b""
                keys[in_property] = key
            if key:
                references[key] = references.get(key, 0) + count
        for file_id, guid in written_materials(data):
            key = _typed_key(MATERIALS.encode(), file_id, guid)
            references[key] = references.get(key, 0) + 1


def faults_of(data: bytes, extension: str, *, libyaml: bool = False, tags: Tags | None = None) -> list[Fault]:
    """Return the faults of which :meth:`Extractor.extract` counts the keys."""
    is_yaml = form_of(data, extension) == YAML
    if is_yaml:
        data = without_texts(data)
    faults = find_faults(data, judge_of(libyaml=libyaml)) if kind_of(extension).content == DOCUMENTS else []
    if not is_yaml:
        return faults
    lacking = undeclared(data, tags) if tags is not None and kind_of(extension).content == DOCUMENTS else ()
    return [*faults, *_invalid_guids(data), *lacking]


def _invalid_guids(data: bytes) -> Iterator[Fault]:
    """Yield the references with GUIDs that Unity cannot read."""
    for unread in unread_guids(data):
        yield Fault(INVALID_GUID, unread.offset, unread.file_id, unread.text)


def _add_fault(fault: Fault, references: dict[bytes, int]) -> None:
    key = fault_key(fault)
    references[key] = references.get(key, 0) + 1


def _key_of_text(text: bytes) -> bytes:
    """Return the key of a reference as text, ``b""`` for none."""
    before, _, guid = text.rpartition(b"guid:")
    digits = before.rpartition(b"fileID:")[2].strip(b", \t\n\r\v\f")
    guid = guid.strip()
    if guid == _NO_GUID or digits == b"0":
        return b""
    return key_of(guid.lower(), int(digits), override=text.startswith(OVERRIDE_TARGET), candidate=False)


def _begins_line(data: bytes, start: int, name: bytes) -> bool:
    """Whether a name is at a place, behind spaces alone."""
    line = data.rfind(b"\n", max(0, start - _DEEPEST), start) + 1
    return 0 < line < start and data.startswith(name, start) and data.count(b" ", line, start) == start - line


def parts_of(key: bytes) -> tuple[str, int | None, bool, bool]:
    """Return GUID, fileID, is override's target, is candidate of a key."""
    guid, digits, flags = key.split(b" ")
    return guid.decode(), int(digits) if digits else None, flags == OVERRIDE, flags == CANDIDATE


def key_of(guid: bytes, file_id: int | None, *, override: bool, candidate: bool) -> bytes:
    """Return the key of a reference."""
    number = b"" if file_id is None else b"%d" % file_id
    return b"%s %s %s" % (guid, number, OVERRIDE if override else CANDIDATE if candidate else b"")


def typed_key(reference: TypedReference) -> bytes:
    """Return the key that compares a target with its property's class."""
    return _typed_key(reference.name.encode(), b"%d" % reference.file_id, reference.guid)


def _typed_key(name: bytes, file_id: bytes, guid: bytes) -> bytes:
    return b"%s %d %s" % (guid.lower(), int(file_id), name)


def source_key(guid: bytes) -> bytes:
    """Return the key of a prefab (32 digits) as an instance's source."""
    return b"%s 100100000 m_SourcePrefab" % guid


def property_of(key: bytes) -> str:
    """Return the property of such a key, ``""`` for any other."""
    flags = key[key.rindex(b" ") + 1 :]
    return flags.decode() if flags.startswith(_TYPED) else ""


def fault_key(fault: Fault) -> bytes:
    """Return the key of a fault; its verdict is its code."""
    return b"%s %d %s" % (_NO_GUID, fault.file_id, fault.code.encode())


def fault_code(key: bytes) -> str:
    """Return the code of a fault's key, ``""`` for a reference's."""
    return key.rpartition(b" ")[2].decode() if key.startswith(_NO_GUID) else ""


def _objects(data: bytes, documents: Iterable[tuple[int, int, bool, int, int]]) -> tuple[bytes, tuple[bytes, ...]]:
    """Return anchors and nested prefabs as :class:`assetdb.unity.yaml.objects.TextObjects` reads them."""
    anchors = array("q")
    seen: set[int] = set()
    nested: set[bytes] = set()
    for class_id, file_id, stripped, start, end in documents:
        if class_id < _MAX_CLASS and -_MAX_ID <= file_id < _MAX_ID and file_id not in seen:
            seen.add(file_id)
            if stripped or class_id == PREFAB_INSTANCE:
                nested.update(_sources(TextObject(class_id, file_id, stripped, data[start:end])))
            if not stripped:
                anchors.append(file_id)
    return anchors.tobytes(), tuple(sorted(nested))


def _sources(item: TextObject) -> Iterator[bytes]:
    """Yield the source GUIDs of an object from elsewhere."""
    for guid in (item.source_prefab, item.source.guid):
        if len(guid) == GUID_DIGITS:
            yield guid.encode()
