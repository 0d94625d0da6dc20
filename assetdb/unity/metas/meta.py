"""``.meta`` files: GUID, importer and tables of sub-assets.

Read with targeted searches: a YAML library needs 32 s for the 63,163 metas of unitystation and refuses
some of them (``: Any`` rows of plugin metas have no key); these take a tenth of a second. Values that most
metas do not have are kept as slices of the file until they are asked for.
"""

from __future__ import annotations

import re
from itertools import repeat

from assetdb.unity.kinds import BYTE_ORDER_MARK
from assetdb.unity.referring.references import NONE, References, meta_references
from assetdb.unity.yaml.scalars import scalar_at
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final, TypeAlias

TEXTURE_TYPE_SPRITE: Final = 8
SPRITE_MODE_SINGLE: Final = 1
SPRITE: Final = 213

CANONICAL: Final = b"fileFormatVersion: 2\nguid: "
"""How a meta begins as Unity writes it, in front of its GUID."""
GUID_START: Final = len(CANONICAL)
GUID_END: Final = GUID_START + 32
_PLAIN_TAIL: Final = b"\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
# Patterns that few metas need are compiled when they are first used (re keeps them): each takes 0.1 ms.
_GUID: Final = rb"^guid:[ \t]*([0-9a-fA-F]{32})[ \t]*$"
_is_guid: Final = re.compile(rb"[0-9a-f]{32}").fullmatch
_CONFLICT: Final = rb"^<{7,8} "
_TIMES: Final = re.compile(rb"\ntimeCreated: \d{1,20}\nlicenseType: \w{1,20}(?=\n[A-Z]\w*Importer:\n)")
_NEXT_IMPORTER: Final = re.compile(rb"\n(?:folderAsset: yes\n)?([A-Z]\w*Importer):(?=\n)")
# Labels and the choice of another importer may stand in front of the importer itself: com.unity.2d.animation's
# Boris.psd.meta begins with importerOverride, and its sprites had no names.
_IN_FRONT: Final = ("labels", "importerOverride")
_IMPORTER: Final = rb"^(?!labels:|importerOverride:)([A-Za-z]\w*):[ \t]*(?:\{\})?$"
_LABEL_BLOCK: Final = rb"^labels:[ \t]*\n((?:[ \t]*- [^\n]*\n?)*)"
_LABEL: Final = rb"^[ \t]*- "
# Their keys are found without a pattern, in a third of the time.
_TEXTURE_TYPE: Final = b"\n  textureType:"
_SPRITE_MODE: Final = b"\n  spriteMode:"
_number_at: Final = re.compile(rb" *(-?\d{1,9})").match
_MAIN_OBJECT: Final = re.compile(rb"\n  mainObjectFileID: *(-?\d{1,19})(?=\n)")
_GENERATION: Final = rb"\n  *fileIdsGeneration: *(\d{1,9})"
_SPRITES_END: Final = rb"\n(?: {0,3}[^\s]| {4}[^\s-])"
_SPRITE_NAME: Final = rb"\n      name:"
# A capital D is rare, and a search for one byte goes at the speed of memory.
_SPRITE_ID: Final = re.compile(rb"D(?<=\n      internalID): *(-?\d{1,20})")
_SPRITE_LINE: Final = re.compile(rb"\n      name: ?([^\n]*)\n      (?! )")
_PLAIN_NAME: Final = rb"[A-Za-z0-9_](?:[A-Za-z0-9_ ().,/+-]*[A-Za-z0-9_).])?"
_are_plain: Final = re.compile(rb"%b(?:\n%b)*+" % (_PLAIN_NAME, _PLAIN_NAME)).fullmatch
_SURELY_FITS: Final = 19  # digits of a number that an int64 holds whatever they are
_TABLE_END: Final = rb"\n {0,2}[^\s-]"
_NAME_TABLE_END: Final = rb"\n {0,4}[^\s]"
_INTERNAL_ID_ROW: Final = rb"- first:\s*\n\s+(-?\d{1,20}): *(-?\d{1,20})\s*\n( +)second:"
_RECYCLE_ROW: Final = rb"\n( +)(-?\d{1,20}):"
_NAME_ID_ROW: Final = rb"\n +(.*): *(-?\d{1,20})[ \t]*(?=\n|$)"
_MAX_ID: Final = 2**63


# One row of a table of sub-assets: fileID, class (0 where the table does not say it), name in UTF-8. A plain
# tuple, because unitystation has 130,000 of them and a named one takes ten times as long to make.
SubAsset: TypeAlias = tuple[int, int, bytes]


class ImporterFacts(NamedTuple):
    """The facts of a meta behind its GUID.

    The four tables are slices of the file, ``b""`` where a table is absent or empty; the functions below
    decode them. ``texture_type`` and ``sprite_mode`` are -1 where the importer has none, and ``main_object``,
    the fileID of the main object, is 0 where it does not say.
    """

    importer: str = ""
    folder: bool = False
    texture_type: int = -1
    sprite_mode: int = -1
    file_ids_generation: int = 0
    sprites: bytes = b""
    internal_ids: bytes = b""
    recycle_names: bytes = b""
    name_file_ids: bytes = b""
    labels: tuple[str, ...] = ()
    asset_bundle_name: str = ""
    asset_bundle_variant: str = ""
    user_data: str = ""
    conflict: bool = False
    references: References = NONE
    main_object: int = 0


# One meta: its GUID as 32 lower-case hex digits (``b""`` where there is none), what follows it, and further
# GUIDs of the file, which are the other sides of a merge conflict.
MetaFacts: TypeAlias = tuple[bytes, ImporterFacts, tuple[bytes, ...]]


NO_IMPORTER: Final = ImporterFacts()
KnownMeta: TypeAlias = tuple[ImporterFacts, bool, bytes]
_MEMO_LIMIT: Final = 4096
_MEMO_LENGTH: Final = 4096
LARGEST_KNOWN: Final = GUID_END + _MEMO_LENGTH
"""No meta that is as large as this is ever known."""


class MetaReader:
    """Reads metas, and remembers importer blocks.

    Most metas of a project differ in their GUID alone.

    On unitystation 95 % of the metas under 4 kB repeat an earlier one behind the GUID.

    Attributes:
        known: by what stood behind the GUIDs of metas: what it says, whether that is :func:`plain <is_plain>`, itself.
        known_of_size: of metas of a size, the one of these that was met last.
    """

    def __init__(self, *, tables: bool = True) -> None:
        """Prepare; ``tables`` are those that :func:`importer_facts` may leave out."""
        self.known: dict[bytes, KnownMeta] = {}
        self.known_of_size: dict[int, KnownMeta] = {}
        self._tables = tables

    def read(self, data: bytes) -> MetaFacts:
        """Return the facts of a ``.meta`` file.

        Every input has an answer.
        """
        known = self.known.get(data[GUID_END:])
        if known is not None and data.startswith(CANONICAL) and _is_guid(data, GUID_START, GUID_END):
            return data[GUID_START:GUID_END], known[0], ()
        return self.read_unknown(data)[0]

    def read_unknown(self, data: bytes) -> tuple[MetaFacts, bool]:
        """Return a meta's facts, and whether they are plain.

        For a meta of which nothing is ``known``; see :func:`is_plain`.
        """
        rest = data[GUID_END:]
        if not data.startswith(CANONICAL) or not _is_guid(data, GUID_START, GUID_END) or rest[:1] != b"\n":
            return _with_plainness(read_meta(data))
        times = _TIMES.match(data, GUID_END)
        start = GUID_END
        if times:  # they differ from one meta to the next, and nobody asks for them: half of FPSSample's
            start = times.end()
            rest = data[start:]
            known = self.known.get(rest)
            if known is not None:
                return (data[GUID_START:GUID_END], known[0], ()), known[1]
        if b"\r" in rest:  # line feeds above, other line ends below
            return _with_plainness(read_meta(data))
        facts = importer_facts(data, start, tables=self._tables)
        if facts.conflict:
            return _with_plainness(read_meta(data))
        plain = is_plain(facts)
        if len(rest) < _MEMO_LENGTH and len(self.known) < _MEMO_LIMIT:
            self.known[rest] = facts, plain, rest
        return (data[GUID_START:GUID_END], facts, ()), plain


def _with_plainness(found: MetaFacts) -> tuple[MetaFacts, bool]:
    return found, is_plain(found[1])


def is_plain(facts: ImporterFacts) -> bool:
    """Whether a meta's facts are its GUID and importer alone.

    And that a texture may be one sprite.
    """
    return facts.references is NONE and not (
        facts.sprites or facts.labels or facts.asset_bundle_name or facts.conflict or facts.folder
    )


def read_meta(data: bytes) -> MetaFacts:
    """Return the facts of a ``.meta`` file.

    Whatever its line ends, mark or order.
    """
    if data.startswith(BYTE_ORDER_MARK):  # 3,094 of 128,266 metas, BoatAttack's BaseController.cs.meta among them
        data = data[3:]
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    guids = list(dict.fromkeys(match.lower() for match in re.compile(_GUID, re.MULTILINE).findall(data)))
    first = re.compile(_GUID, re.MULTILINE).search(data)
    if first is None:
        return _read_odd(data) or (b"", importer_facts(data, 0), ())
    facts = importer_facts(data, first.end())
    return guids[0], facts, tuple(guids[1:]) if facts.conflict else ()


def _read_odd(data: bytes) -> MetaFacts | None:
    """Return the facts of a meta with an unusual GUID line.

    In a flow mapping, quoted, indented.

    None where there is no GUID either, or no YAML. The tables of sub-assets stay those that Unity's own form has.
    """
    if b"guid" not in data or b"fileFormatVersion" not in data:
        return None
    from assetdb.unity.yaml.mapping import read_mapping  # noqa: PLC0415 - hardly any meta comes here
    from assetdb_formats.binary import FormatError  # noqa: PLC0415 - the same

    try:
        meta = read_mapping(data)
    except FormatError:  # the bake says that it has no GUID
        return None
    guid = meta.get("guid")
    if "fileFormatVersion" not in meta or not isinstance(guid, str) or not _is_guid(guid.lower().encode()):
        return None
    keys = (key for key, value in meta.items() if isinstance(value, dict) and key.isidentifier())
    importer = next((key for key in keys if key not in _IN_FRONT), "")
    settings = meta.get(importer)
    texts = settings if isinstance(settings, dict) else {}
    labels = meta.get("labels")
    facts = importer_facts(data, 0)._replace(
        importer=importer,
        folder=meta.get("folderAsset") == "yes",
        labels=tuple(label for label in labels if isinstance(label, str)) if isinstance(labels, list) else (),
        asset_bundle_name=_text_of(texts, "assetBundleName"),
        asset_bundle_variant=_text_of(texts, "assetBundleVariant"),
        user_data=_text_of(texts, "userData"),
    )
    return guid.lower().encode(), facts, ()


def _text_of(texts: dict[str, object], key: str) -> str:
    value = texts.get(key)
    return value if isinstance(value, str) else ""


def importer_facts(data: bytes, start: int, *, tables: bool = True) -> ImporterFacts:
    """Return the facts of a meta behind its GUID line.

    Each search starts where the one before it ended: Unity writes the keys in this order, and a whole
    pass over a 3 kB texture meta for each of them would take five times as long.

    Without ``tables`` the generation of fileIDs and the tables of names but the sprites are left out: for models they
    are most of the time, and a bake asks for none of them.
    """
    if len(data) - start < 2:  # minimal metas: version and GUID, 6,223 of 128,266
        return NO_IMPORTER
    name = ""
    body = start
    opening = _NEXT_IMPORTER.match(data, start) or re.compile(_IMPORTER, re.MULTILINE).search(data, start)
    if opening:
        name = opening[1].decode()
        body = opening.end()
    texture_type = sprite_mode = -1
    generation = main_object = 0
    sprites = internal_ids = recycle_names = name_file_ids = b""
    # Models have serializedVersion before it.
    table = data.find(b"\n  internalIDToNameTable:\n", body, body + 200) if tables else -1
    if table >= 0:
        internal_ids = _slice(data, table + 25, _TABLE_END)
    if name == "TextureImporter":
        settled = body
        mode, behind = _number(data, _SPRITE_MODE, body)
        if mode is not None:
            sprite_mode = mode
            kind, settled = _number(data, _TEXTURE_TYPE, behind)
            if kind is None:
                kind, settled = _number(data, _TEXTURE_TYPE, body)
            if kind is not None:
                texture_type = kind
        sheet = data.find(b"\n    sprites:\n", settled)
        if sheet >= 0:
            end = data.find(b"\n    outline:", sheet)
            sprites = data[sheet + 13 : end] if end >= 0 else _slice(data, sheet + 13, _SPRITES_END)
            table = data.find(b"\n    nameFileIdTable:\n", sheet + len(sprites)) if tables else -1
            if table >= 0:
                name_file_ids = _slice(data, table + 21, _NAME_TABLE_END)
    elif name == "ModelImporter" and tables:
        found = re.compile(_GENERATION).search(data, body)
        generation = int(found[1]) if found else 0
    elif name == "NativeFormatImporter":
        main = _MAIN_OBJECT.search(data, body)
        main_object = int(main[1]) if main else 0
    recycle = data.find(b"\n  fileIDToRecycleName:\n", body, body + 200) if tables else -1
    if recycle >= 0:
        recycle_names = _slice(data, recycle + 23, _TABLE_END)
    bundle = variant = user_data = ""
    if not data.endswith(_PLAIN_TAIL):
        bundle = _value(data, b"\n  assetBundleName:", body)
        variant = _value(data, b"\n  assetBundleVariant:", body)
        user_data = _value(data, b"\n  userData:", body)
    labels: tuple[str, ...] = ()
    if data.find(b"\nlabels:", start, body) >= 0:
        block = re.compile(_LABEL_BLOCK, re.MULTILINE).search(data, start, body)
        if block:
            rows = block[1]  # taken once: each access copies the block
            labels = tuple(scalar_at(rows, match.end(), 0) for match in re.compile(_LABEL, re.MULTILINE).finditer(rows))
    return ImporterFacts(
        name,
        data.find(b"\nfolderAsset: yes", start, body) >= 0,
        texture_type,
        sprite_mode,
        generation,
        sprites,
        internal_ids,
        recycle_names,
        name_file_ids,
        labels,
        bundle,
        variant,
        user_data,
        b"<" in data and re.compile(_CONFLICT, re.MULTILINE).search(data) is not None,
        meta_references(data, body, scalars=name != "TextureImporter" or bool(user_data)),
        main_object,
    )


def _number(data: bytes, key: bytes, start: int) -> tuple[int | None, int]:
    """Return the first number behind a key, and its end.

    None and ``start`` where there is none.
    """
    found = data.find(key, start)
    while found >= 0:
        number = _number_at(data, found + len(key))
        if number:
            return int(number[1]), number.end()
        found = data.find(key, found + len(key))
    return None, start


def sprite_rows(sprites: bytes) -> list[SubAsset]:
    """Decode the sprites with a name and an id.

    Rows of ``spriteSheet.sprites`` in file order.

    The sheet's own ``internalID: 0`` stands behind the list and never reaches this slice.
    """
    names = _SPRITE_LINE.findall(sprites)
    ids = _SPRITE_ID.findall(sprites)
    if (
        not ids
        or len(names) != len(ids)
        or sprites.count(b"\n    - serializedVersion:") != len(ids)
        or not _are_plain(b"\n".join(names))
    ):
        return _uneven_sprite_rows(sprites)
    if max(map(len, ids)) < _SURELY_FITS:
        return list(zip(map(int, ids), repeat(SPRITE), names))
    return [row for row in zip(map(int, ids), repeat(SPRITE), names) if -_MAX_ID <= row[0] < _MAX_ID]


def _uneven_sprite_rows(sprites: bytes) -> list[SubAsset]:
    """Decode sprite rows one by one.

    Some lack a name or an id (Unity 2018 and older wrote no ids), or a name is quoted.
    """
    found = []
    for row in sprites.split(b"\n    - ")[1:]:
        lines = b"\n      " + row
        name = re.compile(_SPRITE_NAME).search(lines)
        digits = _SPRITE_ID.search(lines)
        if name and digits:
            text = scalar_at(lines, name.end(), 6).encode()
            if text and -_MAX_ID <= int(digits[1]) < _MAX_ID:
                found.append((int(digits[1]), SPRITE, text))
    return found


def internal_id_rows(table: bytes) -> list[SubAsset]:
    """Decode ``internalIDToNameTable`` of Unity 2019 and later.

    Class, id and name of each row.
    """
    return [
        (int(match[2]), int(match[1]), scalar_at(table, match.end(), len(match[3])).encode())
        for match in re.compile(_INTERNAL_ID_ROW).finditer(table)
        if _fits(match[2]) and abs(int(match[1])) < 2**32
    ]


def recycle_name_rows(table: bytes) -> list[SubAsset]:
    """Decode ``fileIDToRecycleName``.

    Old small ids are class * 100000 + 2n, so the class is in the id.
    """
    rows = []
    for match in re.compile(_RECYCLE_ROW).finditer(table):
        if _fits(match[2]):
            file_id = int(match[2])
            class_id = file_id // 100_000 if 0 < file_id < 100_000 * 10_000 else 0
            rows.append((file_id, class_id, scalar_at(table, match.end(), len(match[1])).encode()))
    return rows


def name_file_id_rows(table: bytes) -> list[SubAsset]:
    """Decode ``nameFileIdTable`` of Unity 2021 and later.

    All rows of the sprite sheet's table are sprites.
    """
    return [
        (int(match[2]), SPRITE, scalar_at(match[1], 0, 0).encode())
        for match in re.compile(_NAME_ID_ROW).finditer(table)
        if _fits(match[2])
    ]


def sub_asset_names(facts: ImporterFacts) -> dict[int, SubAsset]:
    """Return the union of the four tables by fileID.

    Where two disagree: sprites, then nameFileIdTable, internalIDToNameTable, fileIDToRecycleName.
    """
    names: dict[int, SubAsset] = {}
    for rows in (
        recycle_name_rows(facts.recycle_names),
        internal_id_rows(facts.internal_ids),
        name_file_id_rows(facts.name_file_ids),
        sprite_rows(facts.sprites),
    ):
        names.update((row[0], row) for row in rows)
    return names


def _fits(digits: bytes) -> bool:
    return -_MAX_ID <= int(digits) < _MAX_ID


def _slice(data: bytes, start: int, end: bytes) -> bytes:
    """Return the indented block at a line break."""
    match = re.compile(end).search(data, start)
    return data[start : match.start() if match else len(data)]


def _value(data: bytes, key: bytes, start: int) -> str:
    found = data.rfind(key, start)
    return scalar_at(data, found + len(key), 2) if found >= 0 else ""
