"""Replacement of a GUID in a file's bytes, in any form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.query.graph.references import begins_line
from assetdb.unity.kinds import HEAD_BYTES, OTHER, is_yaml_head, kind_of
from assetdb.unity.referring.other_forms import other_references
from assetdb.unity.referring.references import exact_runs

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_DIGITS: Final = 32
_HEAD: Final = 4096
_BEFORE: Final = 64
_YAML: Final = re.compile(rb"(?<![\w\"])guid:\s{1,9}\Z")
_URL: Final = re.compile(rb"[?&;]guid=\Z")
_QUOTED: Final = re.compile(rb"\\{0,31}\"(?:GUID:)?\Z")
_JSON_KINDS: Final = ("json", "inputactions")
_URL_KINDS: Final = ("uxml", "uss", "tss")
_IDS: Final = ("spriteID", "m_ObjectId", "m_Id", "m_GuidSerialized", "m_Hash", "assetHash", "hash")


class Sites(NamedTuple):
    """The byte offsets of a GUID's digits in a file.

    Attributes:
        definitions: the line of a meta that gives its asset this GUID.
        references: forms that certainly refer to an asset.
        others: digits of unknown meaning: source code, ids, binary files.
    """

    definitions: tuple[int, ...] = ()
    references: tuple[int, ...] = ()
    others: tuple[int, ...] = ()


def is_text(data: bytes) -> bool:
    """Whether a file is plain text, neither binary nor UTF-16."""
    return b"\0" not in data[:_HEAD]


def find_sites(data: bytes, extension: str, guids: Collection[str]) -> dict[str, Sites]:
    """Return where a file has some GUIDs, by GUID.

    Args:
        data: the file.
        extension: of its name, without the dot; ``meta`` for a meta.
        guids: 32 lower-case hex digits each.
    """
    wanted = frozenset(guid.encode() for guid in guids)
    runs = exact_runs(data) if wanted else ()
    places = [(offset, run.decode()) for offset in runs if (run := data[offset : offset + _DIGITS].lower()) in wanted]
    extension = extension.lower()
    is_known = bool(places) and is_text(data) and _has_references(data, extension)
    forms = {
        (reference.offset, reference.guid.hex())
        for reference in (other_references(data, extension) if is_known else ())
        if reference.key.rpartition(".")[2] not in _IDS
    }
    found: dict[str, tuple[list[int], list[int], list[int]]] = {}
    for offset, guid in places:
        definitions, references, others = found.setdefault(guid, ([], [], []))
        if is_known and extension == "meta" and begins_line(data, offset):
            definitions.append(offset)
        elif is_known and ((offset, guid) in forms or _is_reference(data, offset, extension)):
            references.append(offset)
        else:
            others.append(offset)
    return {guid: Sites(*map(tuple, offsets)) for guid, offsets in found.items()}


def rewritten(data: bytes, extension: str, guids: Mapping[str, str], *, defined: Collection[str] = ()) -> bytes:
    """Return a file with other GUIDs in all references to them.

    Args:
        data: the file.
        extension: of its name, without the dot.
        guids: the new one of each, both 32 lower-case hex digits.
        defined: GUIDs whose definition in a meta changes, too.
    """
    changes: list[tuple[int, str]] = []
    for old, sites in find_sites(data, extension, guids).items():
        changes += [
            (offset, guids[old]) for offset in (*sites.references, *(sites.definitions if old in defined else ()))
        ]
    pieces = []
    end = 0
    for offset, new in sorted(changes):
        pieces += [data[end:offset], new.encode()]
        end = offset + _DIGITS
    return b"".join([*pieces, data[end:]])


def _has_references(data: bytes, extension: str) -> bool:
    """Whether references in such a file are known (not in source code)."""
    content = kind_of(extension).content
    if extension == "meta" or extension in _JSON_KINDS:
        return True
    return content != OTHER if content else is_yaml_head(data[:HEAD_BYTES])


def _is_reference(data: bytes, offset: int, extension: str) -> bool:
    before = data[max(0, offset - _BEFORE) : offset]
    if extension in _URL_KINDS:
        return _URL.search(before) is not None
    if _YAML.search(before) is not None:
        return True
    if extension not in _JSON_KINDS or _QUOTED.search(before) is None:
        return False
    return data[offset + _DIGITS : offset + _DIGITS + _BEFORE].lstrip(b"\\")[:1] == b'"'
