"""One asset and its meta as columns: type, name, sub-assets, references, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.scan.asset import IMPLICIT_SPRITE, asset_row, encode_rows, names_other_main, text_of
from assetdb.scan.directory import Finding, utf8
from assetdb.unity.facts import ImporterFacts, References
from assetdb.unity.kinds import plan_of, split_name
from assetdb.unity.metas.meta import MetaReader
from assetdb_formats.codecs.bincode import Decoder
from tests.assetdb.unity_project import HEAD, SPRITES, game_object, guid

if TYPE_CHECKING:
    from assetdb.unity.yaml.text_asset import TextAsset

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
GUID = guid(1).encode()
SCRIPT = guid(3)
ITEM = f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {SCRIPT}, type: 3}}\n"
NATIVE = ImporterFacts("NativeFormatImporter")


def row(
    name: bytes, facts: ImporterFacts, data: bytes | None
) -> tuple[tuple[bytes, bytes, bytes, tuple[bytes, ...], bytes, bytes, bytes], Finding]:
    stem, extension = split_name(name)
    return asset_row(stem, extension, b"Assets/" + name, GUID, facts, data, plan_of(extension, facts.importer))


def decoded(body: bytes) -> tuple[bytes, list[tuple[int, int, bytes]], bytes]:
    """Return name, sub-assets and path of a body."""
    source = Decoder(body)
    name = source.string()
    rows = [(source.signed(), source.unsigned(), source.string()) for _ in range(source.unsigned())]
    return name, rows, source.string()


def test_an_asset_that_is_not_read_has_name_type_and_path() -> None:
    found, finding = row(b"Grass.png", ImporterFacts("TextureImporter"), None)
    assert found[:2] == (GUID, b"28:Grass")
    assert decoded(found[2]) == (b"Grass", [], b"Assets/Grass.png")
    assert (found[3:], finding) == (((), b"", b"", b""), Finding("", ""))


def test_a_scriptable_object_has_the_type_of_its_script() -> None:
    found, finding = row(b"item.asset", NATIVE, ITEM.encode())
    assert found[1] == SCRIPT.encode() + b":item"
    assert (found[5], found[6], finding.code) == (bytes.fromhex(SCRIPT), b"", "")


def test_a_prefab_has_its_own_type_and_keeps_its_rows_to_itself() -> None:
    other = "--- !u!21 &55\nMaterial:\n  m_Name: inside\n"
    found, finding = row(b"P.prefab", ImporterFacts("PrefabImporter"), (HEAD + game_object(100, "P") + other).encode())
    assert (found[1], found[3], finding.code) == (b"1001:P", (), "")
    assert decoded(found[2])[1] == [(55, 21, b"inside")]
    script = ITEM.replace("&11400000", "&100")
    assert row(b"P.prefab", ImporterFacts("PrefabImporter"), script.encode())[0][1] == b"1001:P"


def test_sub_assets_are_sorted_and_take_part_in_names() -> None:
    more = "--- !u!21 &9\nMaterial:\n  m_Name: last\n--- !u!213 &-5\nSprite:\n  m_Name: first\n"
    found, _ = row(b"item.asset", NATIVE, (ITEM + more).encode())
    assert decoded(found[2])[1] == [(-5, 213, b"first"), (9, 21, b"last")]
    assert found[3] == (b"213:first", b"21:last")


def test_sprites_of_a_meta_are_sub_assets() -> None:
    _, facts, _ = MetaReader().read(f"fileFormatVersion: 2\nguid: {guid(1)}\n{SPRITES}".encode())
    found, _ = row(b"tiles.png", facts, None)
    assert decoded(found[2])[1] == [(-666, 213, b"tiles_second"), (555, 213, b"tiles_first")]
    assert found[3] == (b"213:tiles_second", b"213:tiles_first")


def test_equal_rows_are_told_and_kept_once() -> None:
    twice = "--- !u!21 &9\nMaterial:\n  m_Name: b\n" * 2 + "--- !u!21 &7\nMaterial:\n  m_Name: a\n" * 2
    found, finding = row(b"item.asset", NATIVE, (ITEM + twice).encode())
    assert decoded(found[2])[1] == [(7, 21, b"a"), (9, 21, b"b")]
    assert finding == Finding("duplicate-sub-asset", "duplicate fileID 7 (a)")


@pytest.mark.parametrize(
    ("mode", "kind", "sprite"), [(1, 8, True), (2, 8, False), (0, 8, False), (1, 0, False), (-1, -1, False)]
)
def test_a_single_sprite_has_the_name_of_its_texture(mode: int, kind: int, sprite: bool) -> None:  # noqa: FBT001 - a row
    facts = ImporterFacts("TextureImporter", texture_type=kind, sprite_mode=mode)
    found, _ = row(b"icon.png", facts, None)
    assert decoded(found[2])[1] == ([(21300000, 213, b"icon")] if sprite else [])
    assert found[3] == ((b"213:icon",) if sprite else ())
    assert (IMPLICIT_SPRITE in found[2]) is sprite


@pytest.mark.parametrize(
    ("name", "facts", "data", "code", "message"),
    [
        (b"a.mat", NATIVE, LFS, "lfs-pointer", "the asset is a Git LFS pointer"),
        (b"a.shadergraph", ImporterFacts("ScriptedImporter"), LFS, "lfs-pointer", "the asset is a Git LFS pointer"),
        (b"a.mat", NATIVE, b" \n", "empty-asset", "the file is empty"),
        (b"a.mat", NATIVE, b"hello", "not-yaml", "the file is text, but not Unity's YAML"),
        (b"a.mat", NATIVE, b"\0\1\2" * 30, "binary-asset", "the file is binary"),
        (b"a.mat", NATIVE._replace(folder=True), LFS, "meta-kind", "its meta is for a folder"),
        (
            *(b"item.asset", NATIVE._replace(main_object=77), ITEM.encode()),
            *("main-object", "its meta names 77 as the main object, which the file lacks"),
        ),
        (b"item.asset", NATIVE._replace(main_object=77), ITEM.encode() + b"--- !u!21 &77\nM:\n", "", ""),
        (b"item.asset", NATIVE._replace(main_object=11400000), ITEM.encode(), "", ""),
        (b"item.asset", NATIVE._replace(main_object=77), LFS, "lfs-pointer", "the asset is a Git LFS pointer"),
        (b"a.txt", ImporterFacts("TextScriptImporter"), None, "", ""),
    ],
)
def test_what_is_wrong_with_an_asset(
    name: bytes, facts: ImporterFacts, data: bytes | None, code: str, message: str
) -> None:
    assert row(name, facts, data)[1] == Finding(code, message)


def test_references_are_those_of_asset_and_meta_without_its_own() -> None:
    one, two, three = (guid(number).encode() for number in (11, 12, 13))
    beside = References(frozenset((two, GUID)), frozenset((three,)))
    packed = [bytes.fromhex(each.decode()) for each in (one, two, three)]
    text = HEAD.encode() + b"--- !u!21 &2100000\nM:\n  a: {fileID: 1, guid: %b, type: 2}\n" % one
    found, _ = row(b"a.mat", NATIVE._replace(references=beside), text)
    assert found[5:] == (b"".join(sorted(packed[:2])), packed[2])
    unread, _ = row(b"a.png", ImporterFacts("TextureImporter", references=beside), None)
    assert unread[5:] == (packed[1], packed[2])


def test_details_are_the_bundle_with_variant_and_labels() -> None:
    facts = ImporterFacts("TextureImporter", asset_bundle_name="ui", asset_bundle_variant="hd", labels=("a", "b\x1fc"))
    assert row(b"a.png", facts, None)[0][4] == "ui\x1fhd\x1fa\x1fb\ufffdc".encode()
    assert row(b"a.png", ImporterFacts("TextureImporter", labels=("a",)), None)[0][4] == b"\x1f\x1fa"
    assert row(b"a.png", ImporterFacts("TextureImporter", asset_bundle_variant="hd"), None)[0][4] == b""


def test_a_name_that_is_no_utf8_has_a_replacement() -> None:
    found, _ = row(b"a\xff.png", ImporterFacts("TextureImporter"), None)
    assert found[1] == "28:a\ufffd".encode()
    assert (utf8(b"a\xff"), utf8("ä".encode()), utf8(b"a")) == ("a\ufffd".encode(), "ä".encode(), b"a")


@pytest.mark.parametrize("main", [-1, 0, 100100000, 2100000])
def test_usual_main_objects_are_not_told(main: int) -> None:
    plan = plan_of(b"mat", "NativeFormatImporter")
    assert not names_other_main(ImporterFacts(main_object=main), plan)
    assert names_other_main(ImporterFacts(main_object=2100001), plan)


def test_the_main_object_is_that_of_the_meta_before_that_of_the_kind() -> None:
    plan = plan_of(b"mat", "NativeFormatImporter")
    two = f"{HEAD}--- !u!21 &2100000\nMaterial:\n--- !u!74 &7\nAnimationClip:\n".encode()
    found: dict[int, TextAsset] = {
        main: text_of(two, b"mat", NATIVE._replace(main_object=main), plan) for main in (0, 7, 2100000, 99)
    }
    assert {main: text[1] for main, text in found.items()} == {0: 21, 7: 74, 2100000: 21, 99: 21}


ROWS = [
    *((0, 1, b""), (1, 0, b"a"), (-1, 213, b"b" * 250), (1 << 31, 213, b"c"), (-(1 << 31) - 1, 213, b"d")),
    *((1 << 62, 213, b"e" * 250), (1 << 62, 213, b"f" * 251), (-(1 << 63), 213, b"g"), ((1 << 63) - 1, 74, b"h")),
    ((1 << 31) - 1, 213, b"i"),
]


def test_rows_of_any_size_are_decoded_as_they_were() -> None:
    assert decoded(b"\0" + encode_rows(ROWS) + b"\0") == (b"", ROWS, b"")
    assert encode_rows([]) == b"\0"
    assert encode_rows([(3, 213, b"x")]) == b"\1\6\xd5\1x"
    assert encode_rows([(1 << 31, 213, b"x")]) == b"\1\xfd\0\0\0\0\1\0\0\0\xd5\1x"
