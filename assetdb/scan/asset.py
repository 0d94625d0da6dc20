"""One asset and its meta as columns of the database and cache."""

from __future__ import annotations

from collections import Counter

from assetdb.scan.directory import NO_FINDING, NOT_YAML, Finding, utf8
from assetdb.unity.facts import NO_REFERENCES
from assetdb.unity.kinds import (
    CONTAINER,
    DEFAULT_ASSET,
    LFS_POINTER,
    PARTS,
    PREFAB_MAIN,
    SPRITE,
    SPRITE_MAIN,
    is_inside_plugin,
    is_left_alone,
    is_misfit,
    type_key,
)
from assetdb.unity.metas.meta import SPRITE_MODE_SINGLE, TEXTURE_TYPE_SPRITE, sprite_rows
from assetdb.unity.referring.references import packed_references, packed_without
from assetdb.unity.yaml.text_asset import read_text_asset
from assetdb_formats.codecs.bincode import signed, string, unsigned

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.scan.directory import AssetRow
    from assetdb.unity.facts import ImporterFacts, SubAsset
    from assetdb.unity.kinds import Plan
    from assetdb.unity.yaml.text_asset import TextAsset

_NO_IMPORTERS: Final = ("DefaultImporter", "")
_NO_LINKS: Final = (b"", b"")
NO_ROWS: Final = b"\0"
_SHORT: Final = 251  # lengths below this are one byte
_SPRITE_OF_LENGTH: Final = [unsigned(SPRITE) + unsigned(length) for length in range(_SHORT)]
IMPLICIT_SPRITE: Final = b"\1" + signed(SPRITE_MAIN) + unsigned(SPRITE)  # and the name of the texture


def asset_row(
    stem: bytes,
    extension: bytes,
    hint: bytes,
    guid: bytes,
    facts: ImporterFacts,
    data: bytes | None,
    plan: Plan,
) -> tuple[AssetRow, Finding]:
    """Return the row of an asset, and its diagnostic.

    Args:
        stem: file name without extension, as the file system has it.
        extension: in lower case, without the dot.
        hint: path in the project, UTF-8.
        guid: 32 hex digits.
        facts: of the meta, after its GUID.
        data: the asset's bytes if the plan needs them and they could be read.
        plan: :func:`plan_of` extension and importer.
    """
    text = UNTYPED
    if data is not None and plan.typed:
        text = text_of(data, extension, facts, plan)
        if text[1] in PARTS and extension == CONTAINER:
            text = _of_namesake(data, stem, text)
    elif data is not None and data.startswith(LFS_POINTER):
        text = _UNREAD_LFS
    return described_row(stem, extension, hint, guid, facts, data, plan, text)


def text_of(data: bytes, extension: bytes, facts: ImporterFacts, plan: Plan) -> TextAsset:
    """Return the facts of a text that determines its type."""
    main = plan.main
    ids = (facts.main_object, main) if facts.main_object not in (0, main) else (main,) if main else ()
    return read_text_asset(data, rows=plan.rows, main=ids, prefab=extension == b"prefab")


def _of_namesake(data: bytes, stem: bytes, text: TextAsset) -> TextAsset:
    """Return the facts with the main object that :func:`find_main` chooses."""
    name = utf8(stem)
    for file_id, class_id, object_name in text[3]:
        if object_name == name and class_id not in PARTS:
            return read_text_asset(data, rows=True, main=(file_id,))
    return text


def names_other_main(facts: ImporterFacts, plan: Plan) -> bool:
    """Whether a meta names an unusual main object."""
    return facts.main_object not in (-1, 0, PREFAB_MAIN, plan.main)


def described_row(
    stem: bytes,
    extension: bytes,
    hint: bytes,
    guid: bytes,
    facts: ImporterFacts,
    data: bytes | None,
    plan: Plan,
    text: TextAsset,
) -> tuple[AssetRow, Finding]:
    """Return :func:`asset_row` for a result of :func:`text_of`, or for :data:`UNTYPED`."""
    finding = NO_FINDING
    kind, class_id, type_name, rows = text
    if kind != "yaml":
        finding = NOT_YAML[kind]
        if kind == "binary" and data is not None:
            from assetdb.unity.binary.asset_facts import binary_facts  # noqa: PLC0415 - projects with binary assets only

            declared = facts.main_object, plan.main
            found = binary_facts(
                data,
                rows=plan.rows,
                declared=declared,
                stem=utf8(stem).decode(),
                prefab=extension == b"prefab",
            )
            class_id, type_name, rows, is_read = found
            if is_read:
                finding = NO_FINDING
    if plan.by_extension:
        type_name = b""
    if facts.folder:
        finding = Finding("meta-kind", "its meta is for a folder")
    elif (
        finding is NO_FINDING
        and is_misfit(extension, facts.importer)
        and not is_left_alone(hint)
        and not is_inside_plugin(hint)
    ):
        finding = Finding("meta-kind", f"its meta is of {facts.importer}, which imports no such files")
    elif (
        data is not None
        and plan.typed
        and kind == "yaml"
        and names_other_main(facts, plan)
        and b" &%d" % facts.main_object not in data
    ):
        finding = Finding("main-object", f"its meta names {facts.main_object} as the main object, which the file lacks")
    if facts.texture_class:
        type_name = b"%d" % facts.texture_class
    elif facts.importer in _NO_IMPORTERS and is_left_alone(hint):
        type_name = b"%d" % DEFAULT_ASSET
    elif not type_name:
        type_name = type_key(extension, class_id, facts.importer)
    if not stem.isascii():
        stem = utf8(stem)
    if facts.sprites and facts.sprite_mode != SPRITE_MODE_SINGLE:  # else the sheet stays in the meta unused
        rows = rows + sprite_rows(facts.sprites)
    details = _details(facts) if facts.labels or facts.asset_bundle_name else b""
    name = string(stem)
    if data is not None:
        links = packed_references(data, extension, guid, facts.references)
    else:
        links = _NO_LINKS if facts.references is NO_REFERENCES else packed_without(facts.references, guid)
    if not rows:
        if facts.sprite_mode == SPRITE_MODE_SINGLE and facts.texture_type == TEXTURE_TYPE_SPRITE:
            body = name + IMPLICIT_SPRITE + name + string(hint)
            return (guid, type_name + b":" + stem, body, (b"213:" + stem,), details, *links), finding
        return (guid, type_name + b":" + stem, name + NO_ROWS + string(hint), (), details, *links), finding
    if len(set(rows)) != len(rows):
        first_twice = min(row for row, count in Counter(rows).items() if count > 1)
        finding = Finding("duplicate-sub-asset", f"duplicate fileID {first_twice[0]} ({first_twice[2].decode()})")
        rows = list(dict.fromkeys(rows))
    rows = sorted(rows)
    body = name + encode_rows(rows) + string(hint)
    if plan.embedded:
        return (guid, type_name + b":" + stem, body, (), details, *links), finding
    sub_keys = tuple([b"213:" + name if kind == SPRITE else b"%d:%b" % (kind, name) for _, kind, name in rows])
    return (guid, type_name + b":" + stem, body, sub_keys, details, *links), finding


UNTYPED: Final[TextAsset] = ("yaml", 0, b"", [])
"""The facts of an asset whose bytes do not determine its type."""
_UNREAD_LFS: Final[TextAsset] = ("lfs", 0, b"", [])


def encode_rows(rows: list[SubAsset]) -> bytes:
    """Encode sub-assets as in an entry: count, then fileID, class and name.

    The most common row, a sprite with a 64-bit id, is inlined: unitystation has 65,000 of them.
    """
    parts = [unsigned(len(rows))]
    for file_id, class_id, name in rows:
        number = file_id << 1 if file_id >= 0 else ~(file_id << 1)
        if number >> 32 and class_id == SPRITE and len(name) < _SHORT:
            parts.append(b"\xfd" + number.to_bytes(8, "little") + _SPRITE_OF_LENGTH[len(name)] + name)
        else:
            parts += (unsigned(number), unsigned(class_id), string(name))
    return b"".join(parts)


def _details(facts: ImporterFacts) -> bytes:
    values = [facts.asset_bundle_name, facts.asset_bundle_variant, *facts.labels]
    return "\x1f".join(value.replace("\x1f", "\ufffd") for value in values).encode("utf-8", "replace")
