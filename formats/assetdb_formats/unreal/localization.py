"""Localized texts: ``.locres``, the strings of a culture, and ``.locmeta``.

::

    locres   16 bytes magic, u8 version (version 0 has neither)
             (1) i64 offset of the strings or -1; there: i32 n, n x {FString, (2) i32 uses}
             (2) u32 number of texts
             u32 n, n x namespace {(2) u32 hash, FString, u32 n, n x text
                 {(2) u32 hash of the key, FString key, u32 hash of the source, (0) FString or (1) i32 string}}
    locmeta  16 bytes magic, u8 version, FString native culture, FString its locres, (1) i32 n, n x FString culture

The numbers in brackets are versions: of locres 0 to 3 (2 and 3 differ in the hash alone), of locmeta 0 and 1, as the
open readers have them. The real files seen are locres of version 3 (engine 5.8 and 6.0).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

_TEXTS_MAGIC: Final = bytes.fromhex("0e147475 674a03fc 4a15909d c3377f1b")
_CULTURES_MAGIC: Final = bytes.fromhex("4fee4ca1 68485583 6c4c46bd 70da507c")
_NEWEST_TEXTS: Final = 3
_NEWEST_CULTURES: Final = 1
_SHARED: Final = 1  # the version that stores equal strings once
_HASHED: Final = 2


class LocalizedText(NamedTuple):
    """A text by namespace and key.

    Attributes:
        source: the hash of the text that was translated.
    """

    namespace: str
    key: str
    source: int
    text: str


class LocalizedTexts(NamedTuple):
    """The content of a ``.locres``; ``namespaces`` has also those without texts."""

    version: int
    namespaces: tuple[str, ...]
    texts: tuple[LocalizedText, ...]


class Cultures(NamedTuple):
    """The content of a ``.locmeta``; ``compiled`` is None before version 1."""

    version: int
    native: str
    native_texts: str
    compiled: tuple[str, ...] | None


def read_localized_texts(data: bytes) -> LocalizedTexts:
    """Read a ``.locres``. Raises UnrealError."""
    reader = Reader(data)
    version = _version(reader, _TEXTS_MAGIC, _NEWEST_TEXTS)
    strings = _strings(reader, version) if version >= _SHARED else ()
    if version >= _HASHED:
        reader.u32("texts")
    namespaces: list[str] = []
    texts: list[LocalizedText] = []
    for place in _counted(reader, 12 if version >= _HASHED else 8, "namespaces"):
        field = f"namespaces[{place}]"
        namespaces.append(_key(reader, version, field))
        texts += _texts(reader, version, namespaces[-1], strings, field)
    return LocalizedTexts(version, tuple(namespaces), tuple(texts))


def read_cultures(data: bytes) -> Cultures:
    """Read a ``.locmeta``. Raises UnrealError."""
    reader = Reader(data)
    version = _version(reader, _CULTURES_MAGIC, _NEWEST_CULTURES)
    native, native_texts = reader.string("native_culture"), reader.string("native_texts")
    compiled = None
    if version >= _NEWEST_CULTURES:
        compiled = tuple(reader.string(f"cultures[{place}]") for place in reader.items(4, "cultures"))
    return Cultures(version, native, native_texts, compiled)


def _version(reader: Reader, magic: bytes, newest: int) -> int:
    if reader.data[: len(magic)] != magic:
        return 0
    reader.need(len(magic), "magic")
    version = reader.u8("version")
    if version > newest:
        raise reader.error(f"version {version}; versions 0 to {newest} are known", "version", offset=len(magic))
    return version


def _counted(reader: Reader, size: int, field: str) -> range:
    return range(reader.count(reader.u32(field), size, field))


def _key(reader: Reader, version: int, field: str) -> str:
    if version >= _HASHED:
        reader.u32(f"{field}.hash")
    return reader.string(field)


def _strings(reader: Reader, version: int) -> tuple[str, ...]:
    offset = reader.i64("strings.offset")
    if offset == -1:
        return ()
    if not reader.position <= offset <= len(reader.data):
        raise reader.error(f"strings at {offset} of {len(reader.data)} bytes", "strings.offset")
    found = []
    there = Reader(reader.data)
    there.position = offset
    for place in there.items(8 if version >= _HASHED else 4, "strings"):
        found.append(there.string(f"strings[{place}]"))
        if version >= _HASHED:
            there.i32(f"strings[{place}].uses")
    return tuple(found)


def _texts(
    reader: Reader, version: int, namespace: str, strings: tuple[str, ...], field: str
) -> Iterator[LocalizedText]:
    """Yield the texts of a namespace."""
    for place in _counted(reader, 16 if version >= _HASHED else 12, f"{field}.texts"):
        own = f"{field}.texts[{place}]"
        key = _key(reader, version, own)
        source = reader.u32(f"{own}.source")
        if version < _SHARED:
            text = reader.string(f"{own}.text")
        else:
            number = reader.i32(f"{own}.string")
            if not 0 <= number < len(strings):
                raise reader.error(f"string {number} of {len(strings)}", f"{own}.string", offset=reader.position - 4)
            text = strings[number]
        yield LocalizedText(namespace, key, source, text)
