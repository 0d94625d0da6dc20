"""``.meta`` files: GUID, importer and tables of sub-assets.

Read with targeted searches: a YAML library needs 32 s for the 63,163 metas of unitystation and refuses some of them
(``: Any`` rows of plugin metas have no key); these take a tenth of a second. Values that most metas do not have are
slices of the file, decoded on demand.
"""

from __future__ import annotations

from itertools import repeat

from assetdb.unity.facts import NO_REFERENCES, ImporterFacts
from assetdb.unity.kinds import BYTE_ORDER_MARK, SPRITE, SPRITE_MAIN
from assetdb.unity.metas.refusal import PLAIN_TAIL, meta_fault
from assetdb.unity.patterns import Pattern
from assetdb.unity.referring.references import meta_references
from assetdb.unity.yaml.scalars import key_span, scalar_at, scalar_span, scalar_text

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final, TypeAlias

    from assetdb.unity.facts import SubAsset

TEXTURE_TYPE_SPRITE: Final = 8
SPRITE_MODE_SINGLE: Final = 1

CANONICAL: Final = b"fileFormatVersion: 2\nguid: "
"""How a meta begins as Unity writes it, in front of its GUID."""
GUID_START: Final = len(CANONICAL)
GUID_END: Final = GUID_START + 32
_GUID: Final = Pattern(rb"^guid:[ \t]*([0-9a-fA-F]{32})[ \t]*$", multiline=True)
_HEX: Final = b"0123456789abcdef"
_CONFLICT: Final = Pattern(rb"^<{7,8} ", multiline=True)
_CREATED: Final = b"\ntimeCreated: "
_TIMES: Final = Pattern(rb"\ntimeCreated: \d{1,20}\nlicenseType: \w{1,20}(?=\n[A-Z]\w*Importer:\n)")
# Labels and the choice of another importer may precede the importer itself: com.unity.2d.animation's Boris.psd.meta
# begins with importerOverride, and its sprites had no names.
_IN_FRONT: Final = ("labels", "importerOverride")
_IMPORTER: Final = Pattern(rb"^(?!labels:|importerOverride:)([A-Za-z]\w*):[ \t]*(?:\{\})?$", multiline=True)
_FOLDER: Final = b"\nfolderAsset: yes"
_LABELS: Final = b"\nlabels:"
_LABEL: Final = Pattern(rb"\n([ \t]*)- ")
# Found without a pattern, in a third of the time.
_TEXTURE_TYPE: Final = b"\n  textureType:"
_SPRITE_MODE: Final = b"\n  spriteMode:"
_SHAPE: Final = b"\n  textureShape:"
_FLAT: Final = b"\n  textureShape: 1\n"
_CUBEMAP_LAYOUT: Final = b"\n  generateCubemap:"
# Of textureShape; a texture of Unity 5 without that key is a cubemap if it has a layout of one.
_SHAPES: Final = {2: 89, 4: 187, 8: 117}
_CUBE: Final = 2
_NUMBER: Final = Pattern(rb" *(-?\d{1,9})")
_MAIN_OBJECT: Final = Pattern(rb"\n  mainObjectFileID: *(-?\d{1,19})(?=\n)")
_SHEET: Final = b"\n    sprites:\n"
_SHEET_END: Final = b"\n    outline:"
_SHEET_ROW: Final = b"\n    - serializedVersion:"
_SPRITES_END: Final = Pattern(rb"\n(?: {0,3}[^\s'\"]| {4}[^\s-])")  # a name may end in a quote in column 0
_SPRITE_NAME: Final = b"\n      name:"
# A capital D is rare, and a search for one byte runs at the speed of memory.
_SPRITE_ID: Final = Pattern(rb"D(?<=\n      internalID): *(-?\d{1,20})")
_SPRITE_LINE: Final = Pattern(rb"\n      name: ?([^\n]*)\n      (?! )")
_PLAIN_NAME: Final = rb"[A-Za-z0-9_](?:[A-Za-z0-9_ ().,/+#-]*[A-Za-z0-9_).])?"
_PLAIN_NAMES: Final = Pattern(rb"%b(?:\n%b)*+" % (_PLAIN_NAME, _PLAIN_NAME))
_SURELY_FITS: Final = 19  # every number with fewer digits is an int64
_NAME_TABLE_END: Final = Pattern(rb"\n {0,4}[^\s]")
_NAME_ID_ROW: Final = Pattern(rb"\n +([^\n]*)")
_MOST_DIGITS: Final = 20
_MOST_DIGITS_OF_MODE: Final = 9
_PLAIN_RECYCLE_ROW: Final = Pattern(rb"\n    (-?\d{1,19}): ([^\s'\"](?:[^\n]*\S)?)(?=\n|\Z)")
_LINE_ENDS: Final = (b"\n", b"")
_LARGE_TABLE = 1024  # bytes; not final, since tests lower it
_RECYCLE_ROW: Final = b"\n    "
_QUOTES: Final = b"'\""
_FIRST: Final = b"- first:"
_SECOND: Final = b"second:"
_NO_KEY: Final = b"-\t\n\r\v\f'\""  # of a list item, an empty line, and a quote that ends a name in column 0
_PLAIN: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_PLAIN_INSIDE: Final = _PLAIN | frozenset(b" -.()#")
_MAX_ID: Final = 2**63


# One meta: its GUID as 32 lower-case hex digits (``b""`` if it has none), its other facts, and further GUIDs of the
# file, which are the other sides of a merge conflict.
MetaFacts: TypeAlias = tuple[bytes, ImporterFacts, tuple[bytes, ...]]


NO_IMPORTER: Final = ImporterFacts()
KnownMeta: TypeAlias = tuple[ImporterFacts, bool, bytes]
_MEMO_LIMIT: Final = 4096
_MEMO_LENGTH: Final = 4096
LARGEST_KNOWN: Final = GUID_END + _MEMO_LENGTH
"""Metas of this size and above are never known."""


class MetaReader:
    """Reads metas, and caches importer blocks.

    Most metas of a project differ in their GUID alone: on unitystation 95 % of metas under 4 kB repeat an earlier one
    after the GUID.

    Attributes:
        known: by the text after the GUID: its facts, whether it is :func:`plain <is_plain>`, and the text.
        known_of_size: the last known text of each size of a meta.
        fault: of the last meta, as :func:`~assetdb.unity.metas.refusal.meta_fault` has it.
    """

    def __init__(self, *, tables: bool = True) -> None:
        """Prepare; ``tables`` are those that :func:`importer_facts` may leave out."""
        self.known: dict[bytes, KnownMeta] = {}
        self.known_of_size: dict[int, KnownMeta] = {}
        self.fault: tuple[str, int, str, str] | None = None
        self._tables = tables

    def read(self, data: bytes) -> MetaFacts:
        """Return the facts of any ``.meta`` file."""
        known = self.known.get(data[GUID_END:])
        if known is not None and data.startswith(CANONICAL) and _is_guid(data[GUID_START:GUID_END]):
            self.fault = None
            return data[GUID_START:GUID_END], known[0], ()
        return self.read_unknown(data)[0]

    def read_unknown(self, data: bytes) -> tuple[MetaFacts, bool]:
        """Return the facts of a new meta, and whether they are plain."""
        rest = data[GUID_END:]
        if not data.startswith(CANONICAL) or not _is_guid(data[GUID_START:GUID_END]) or rest[:1] != b"\n":
            return self._unusual(data)
        times = _TIMES.match(data, GUID_END) if data.startswith(_CREATED, GUID_END) else None
        start = GUID_END
        if times:  # different in each meta, and not needed: half of FPSSample's have them
            start = times.end()
            rest = data[start:]
            known = self.known.get(rest)
            if known is not None:
                self.fault = None
                return (data[GUID_START:GUID_END], known[0], ()), known[1]
        if b"\r" in rest:  # a line feed after the GUID, other line ends below
            return self._unusual(data)
        facts = importer_facts(data, start, tables=self._tables)
        if facts.conflict:
            return self._unusual(data)
        self.fault = meta_fault(data)
        plain = is_plain(facts)
        if self.fault is not None:  # each file is to be told, so none is known by another
            return (data[GUID_START:GUID_END], facts, ()), plain
        if len(rest) < _MEMO_LENGTH and len(self.known) < _MEMO_LIMIT:
            self.known[rest] = facts, plain, rest
        return (data[GUID_START:GUID_END], facts, ()), plain

    def _unusual(self, data: bytes) -> tuple[MetaFacts, bool]:
        """Return the facts of a meta that Unity did not write so."""
        self.fault = meta_fault(data)
        found = read_meta(data)
        return found, is_plain(found[1])


def is_plain(facts: ImporterFacts) -> bool:
    """Whether a meta has only GUID, importer and texture type."""
    return facts.references is NO_REFERENCES and not (
        facts.sprites
        or facts.labels
        or facts.asset_bundle_name
        or facts.conflict
        or facts.folder
        or facts.texture_class
    )


def _is_guid(digits: bytes) -> bool:
    return len(digits) == GUID_END - GUID_START and not digits.translate(None, _HEX)


def read_meta(data: bytes, *, references: bool = True) -> MetaFacts:
    """Return the facts of a ``.meta`` file in any form."""
    if data.startswith(BYTE_ORDER_MARK):  # 3,094 of 128,266 metas, BoatAttack's BaseController.cs.meta among them
        data = data[3:]
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    own = data[GUID_START:GUID_END]
    if data.startswith(CANONICAL) and _is_guid(own) and data[GUID_END : GUID_END + 1] == b"\n" and _is_alone(data):
        return own, importer_facts(data, GUID_END, references=references), ()
    guids = list(dict.fromkeys(match.lower() for match in _GUID.findall(data)))
    first = _GUID.search(data)
    if first is None:
        return _read_odd(data) or (b"", importer_facts(data, 0), ())
    facts = importer_facts(data, first.end(), references=references)
    return guids[0], facts, tuple(guids[1:]) if facts.conflict else ()


def _is_alone(data: bytes) -> bool:
    """Whether a meta has no other GUID after its own."""
    return data.find(b"\nguid:", GUID_END) < 0


def _read_odd(data: bytes) -> MetaFacts | None:
    """Return the facts of a meta with a quoted or indented GUID.

    None if it has no GUID or is not YAML. Tables of sub-assets are read only in Unity's own form.
    """
    if b"guid" not in data or b"fileFormatVersion" not in data:
        return None
    from assetdb.unity.yaml.mapping import read_mapping  # noqa: PLC0415 - hardly any meta comes here
    from assetdb_formats.binary import FormatError  # noqa: PLC0415 - the same

    try:
        meta = read_mapping(data)
    except FormatError:  # the bake reports that it has no GUID
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


def importer_facts(data: bytes, start: int, *, tables: bool = True, references: bool = True) -> ImporterFacts:
    """Return the facts of a meta after its GUID line.

    Each search starts where the previous one ended: Unity writes the keys in this order, and a whole pass over a 3 kB
    texture meta for each of them would take five times as long.

    Without ``tables``, tables of names except the sprites are left out: they are most of the time for models, and a
    bake does not need them. A name does not need ``references``.
    """
    if len(data) - start < 2:  # minimal metas: version and GUID, 6,223 of 128,266
        return NO_IMPORTER
    name, body = _opening(data, start)
    texture_type = sprite_mode = -1
    main_object = texture_class = 0
    sprites = internal_ids = recycle_names = name_file_ids = b""
    # Models have serializedVersion before it.
    table = data.find(b"\n  internalIDToNameTable:\n", body, body + 200) if tables else -1
    if table >= 0:
        internal_ids = _table(data, table + 25)
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
        if not data.startswith(_FLAT, settled):  # which follows textureType
            texture_class = _texture_class(data, body)
        sheet = data.find(_SHEET, settled)
        if sheet >= 0:
            end = data.find(_SHEET_END, sheet)
            sprites = data[sheet + 13 : end] if end >= 0 else _slice(data, sheet + 13, _SPRITES_END)
            table = data.find(b"\n    nameFileIdTable:\n", sheet + len(sprites)) if tables else -1
            if table >= 0:
                name_file_ids = _slice(data, table + 21, _NAME_TABLE_END)
    elif name == "NativeFormatImporter":
        main = _MAIN_OBJECT.search(data, body)
        main_object = int(main[1]) if main else 0
    recycle = data.find(b"\n  fileIDToRecycleName:\n", body, body + 200) if tables else -1
    if recycle >= 0:
        recycle_names = _table(data, recycle + 23)
    bundle = variant = user_data = ""
    if not data.endswith(PLAIN_TAIL):
        bundle = _value(data, b"\n  assetBundleName:", body)
        variant = _value(data, b"\n  assetBundleVariant:", body)
        user_data = _value(data, b"\n  userData:", body)
    listed = data.find(_LABELS, start, body)
    labels = _labels(data, listed + len(_LABELS)) if listed >= 0 else ()
    linked = NO_REFERENCES
    if references:
        linked = meta_references(data, body, scalars=name != "TextureImporter" or bool(user_data))
    return ImporterFacts(
        name,
        data.find(_FOLDER, start, body) >= 0,
        texture_type,
        sprite_mode,
        sprites,
        internal_ids,
        recycle_names,
        name_file_ids,
        labels,
        bundle,
        variant,
        user_data,
        b"<<<<<<< " in data and _CONFLICT.search(data) is not None,
        linked,
        main_object,
        texture_class,
    )


def _texture_class(data: bytes, body: int) -> int:
    """Return the class of a texture that is not flat, or 0.

    191 textures of the public projects say ``textureShape: 2``, and two of Unity 5 have ``generateCubemap: 6`` alone.
    """
    shape = _number(data, _SHAPE, body)[0]
    if shape is None and _number(data, _CUBEMAP_LAYOUT, body)[0]:
        shape = _CUBE
    return _SHAPES.get(shape or 0, 0)


def _labels(data: bytes, end: int) -> tuple[str, ...]:
    """Return the items of the list after ``labels:``."""
    labels: list[str] = []
    row = _LABEL.match(data, end) or _LABEL.match(data, data.find(b"\n", end))
    while row:
        start, end, quote = scalar_span(data, row.end(), len(row[1]))
        labels.append(scalar_text(data[start:end], quote))
        row = _LABEL.match(data, data.find(b"\n", end))
    return tuple(labels)


def _opening(data: bytes, start: int) -> tuple[str, int]:
    """Return the importer and the end of its line; ``""`` without one."""
    line = start + (len(_FOLDER) if data.startswith(b"%b\n" % _FOLDER, start) else 0) + 1
    end = data.find(b":\n", line)
    name = data[line:end] if end >= 0 else b""
    if name.endswith(b"Importer") and name.isalnum() and name[:1].isupper() and data[start : start + 1] == b"\n":
        return name.decode(), end + 1
    opening = _IMPORTER.search(data, start)
    return (opening[1].decode(), opening.end()) if opening else ("", start)


def _number(data: bytes, key: bytes, start: int) -> tuple[int | None, int]:
    """Return the first number after a key, and its end."""
    found = data.find(key, start)
    while found >= 0:
        end = data.find(b"\n", found + len(key))
        digits = data[found + len(key) : end].lstrip(b" ")
        if end >= 0 and digits.isdigit() and len(digits) <= _MOST_DIGITS_OF_MODE:
            return int(digits), end
        number = _NUMBER.match(data, found + len(key))
        if number:
            return int(number[1]), number.end()
        found = data.find(key, found + len(key))
    return None, start


def sprite_rows(sprites: bytes) -> list[SubAsset]:
    """Decode the sprites of a sheet with a name and an id."""
    if not sprites:
        return []
    names = _SPRITE_LINE.findall(sprites)
    ids = _SPRITE_ID.findall(sprites)
    if (
        not ids
        or len(names) != len(ids)
        or sprites.count(_SHEET_ROW) != len(ids)
        or not _PLAIN_NAMES.fullmatch(b"\n".join(names))
    ):
        return _uneven_sprite_rows(sprites)
    if max(map(len, ids)) < _SURELY_FITS:
        return list(zip(map(int, ids), repeat(SPRITE), names))
    return [row for row in zip(map(int, ids), repeat(SPRITE), names) if -_MAX_ID <= row[0] < _MAX_ID]


def _uneven_sprite_rows(sprites: bytes) -> list[SubAsset]:
    """Decode sprite rows without names or ids, or with quoted names."""
    found = []
    for row in sprites.split(b"\n    - ")[1:]:
        lines = b"\n      " + row
        name = lines.find(_SPRITE_NAME)
        digits = _SPRITE_ID.search(lines)
        if name >= 0 and digits:
            text = scalar_at(lines, name + len(_SPRITE_NAME), 6).encode()
            if text and -_MAX_ID <= int(digits[1]) < _MAX_ID:
                found.append((int(digits[1]), SPRITE, text))
    return found


def internal_id_rows(table: bytes) -> list[SubAsset]:
    """Decode ``internalIDToNameTable`` (from Unity 2019)."""
    rows = []
    place = table.find(_FIRST)
    while place >= 0:
        # Of ``first:``, the numbers on a line of their own, spaces, ``second:``
        start = place + len(_FIRST)
        place = table.find(_FIRST, start)
        second = table.find(_SECOND, start, place if place >= 0 else len(table))
        head = table[start : max(start, second)]
        before = head.rstrip(b" ")
        numbers = before.strip()
        number, _, digits = numbers.partition(b":")
        class_id, file_id = _int64(number), _int64(digits.lstrip(b" "))
        is_row = before.endswith(b"\n") and b"\n" in before[: before.find(numbers) - 1]
        if is_row and len(before) < len(head) and file_id is not None and class_id is not None:
            name, end, quote = scalar_span(table, second + len(_SECOND), len(head) - len(before))
            if abs(class_id) < 2**32:
                rows.append((file_id, class_id, scalar_text(table[name:end], quote).encode()))
            if place < end:  # words of a name
                place = table.find(_FIRST, end)
    return rows


def recycle_name_rows(table: bytes) -> list[SubAsset]:
    """Decode ``fileIDToRecycleName``; small ids contain their class."""
    plain = _plain_recycle_rows(table) if len(table) < _LARGE_TABLE else _many_plain_recycle_rows(table)
    return _any_recycle_rows(table) if plain is None else plain


def _plain_recycle_rows(table: bytes) -> list[SubAsset] | None:
    """Decode a table of lines with plain names, else None."""
    head, *lines = table.split(_RECYCLE_ROW)
    if head or not table.isascii() or table.count(b"\n") != len(lines):
        return None
    rows = []
    for line in lines:
        digits, _, name = line.partition(b": ")
        is_number = digits.isdigit() and len(digits) < _SURELY_FITS
        if not is_number or not name or name[0] in _QUOTES or name.strip() != name:
            return None
        file_id = int(digits)
        rows.append((file_id, _class_in(file_id), name))
    return rows


def _many_plain_recycle_rows(table: bytes) -> list[SubAsset] | None:
    """Decode a large table of lines with plain names, else None.

    In half the time, if the expression is compiled: FPSSample has 48,000 rows in the metas of its models.
    """
    if not table.isascii() or table[:1] not in _LINE_ENDS:
        return None
    found = _PLAIN_RECYCLE_ROW.findall(table)
    if len(found) != table.count(b"\n"):
        return None
    numbers = [int(digits) for digits, _ in found]
    if numbers and not -_MAX_ID <= min(numbers) <= max(numbers) < _MAX_ID:
        return None
    return [(number, _class_in(number), name) for number, (_, name) in zip(numbers, found, strict=True)]


def _class_in(file_id: int) -> int:
    """Return the class in a small id, else 0."""
    return file_id // 100_000 if 0 < file_id < 100_000 * 10_000 else 0


def _any_recycle_rows(table: bytes) -> list[SubAsset]:
    rows = []
    line_end = table.find(b"\n")
    while line_end >= 0:
        start = line_end + 1
        line_end = table.find(b"\n", start)
        text = table[start : line_end if line_end >= 0 else len(table)]
        indent = len(text) - len(text.lstrip(b" "))
        digits, colon, _ = text[indent:].partition(b":")
        file_id = _int64(digits)
        if indent and colon and file_id is not None:
            name, end, quote = scalar_span(table, start + indent + len(digits) + 1, indent)
            rows.append((file_id, _class_in(file_id), scalar_text(table[name:end], quote).encode()))
            if end > line_end >= 0:  # a name of several lines
                line_end = table.find(b"\n", end)
    return rows


def name_file_id_rows(table: bytes) -> list[SubAsset]:
    """Decode ``nameFileIdTable`` of a sprite sheet (from Unity 2021)."""
    rows = []
    for row in _NAME_ID_ROW.finditer(table) if table else ():
        name, line_end = row.span(1)
        end, behind, quote = key_span(table, name, line_end)
        file_id = _int64(table[behind:line_end].strip(b" \t")) if end >= 0 else None
        if file_id is not None:
            rows.append((file_id, SPRITE, scalar_text(table[name:end], quote).encode()))
    return rows


def sub_asset_names(facts: ImporterFacts) -> dict[int, SubAsset]:
    """Return all four tables by fileID; sprites take precedence."""
    names: dict[int, SubAsset] = {}
    for rows in (
        recycle_name_rows(facts.recycle_names),
        internal_id_rows(facts.internal_ids),
        name_file_id_rows(facts.name_file_ids),
        sprite_rows(facts.sprites),
    ):
        names.update((row[0], row) for row in rows)
    return names


def sprite_name(meta: bytes, stem: str, file_id: int) -> str:
    """Return the name of a sprite, or ``""`` on any doubt.

    The one row is searched for: a sheet has up to thousands.

    Args:
        meta: the meta of a texture.
        stem: the texture's file name without extension, the name of the sprite of a single-sprite texture.
        file_id: of the sprite; 21300000 is the whole texture, or the first sprite of a sheet.
    """
    mode = meta.find(b"\n  spriteMode: ")
    if mode < 0 or b"\r" in meta or b"\nTextureImporter:\n" not in meta:
        return ""
    kind = meta[mode + 15 : mode + 17]
    if file_id == SPRITE_MAIN and kind in (b"1\n", b"3\n"):
        return stem
    start = meta.find(_SHEET, mode)
    end = meta.find(_SHEET_END, start)
    if start < 0 or end < 0 or kind == b"1\n":
        return ""
    if file_id == SPRITE_MAIN:
        return _name_in(meta, start, end) if kind == b"2\n" else ""
    found = meta.find(b"\n      internalID: %d\n" % file_id, start, end + 1)
    row = meta.rfind(_SHEET_ROW, start, found) if found >= 0 else -1
    return _name_in(meta, row, found) if row >= 0 else ""


def _name_in(meta: bytes, start: int, end: int) -> str:
    """Return the first plain name in a range, or ``""``."""
    found = meta.find(b"%b " % _SPRITE_NAME, start, end)
    if found < 0:
        return ""
    found += len(_SPRITE_NAME) + 1
    line_end = meta.find(b"\n", found)
    name = meta[found:line_end]
    wrapped = meta.startswith(b"\n       ", line_end)
    if wrapped or not name or name[0] not in _PLAIN or name[-1] not in _PLAIN_INSIDE - {32}:
        return ""
    return name.decode() if _PLAIN_INSIDE.issuperset(name) else ""


def _int64(digits: bytes) -> int | None:
    """Return a decimal number that an int64 holds, or None."""
    plain = digits.removeprefix(b"-")
    if not plain.isdigit() or len(plain) > _MOST_DIGITS:
        return None
    number = int(digits)
    return number if -_MAX_ID <= number < _MAX_ID else None


def _table(data: bytes, start: int) -> bytes:
    """Return a table's rows, from a line break to the next key."""
    end = start
    while end >= 0:
        text = data[end + 1 : end + 4].lstrip(b" ")
        if text and text[0] not in _NO_KEY:
            return data[start:end]
        end = data.find(b"\n", end + 1)
    return data[start:]


def _slice(data: bytes, start: int, end: Pattern) -> bytes:
    """Return the indented block at a line break."""
    match = end.search(data, start)
    return data[start : match.start() if match else len(data)]


def _value(data: bytes, key: bytes, start: int) -> str:
    found = data.rfind(key, start)
    return scalar_at(data, found + len(key), 2) if found >= 0 else ""
