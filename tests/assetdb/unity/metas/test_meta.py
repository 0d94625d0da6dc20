import pytest

from assetdb.unity.kinds import SPRITE
from assetdb.unity.metas.meta import (
    NO_IMPORTER,
    ImporterFacts,
    MetaFacts,
    MetaReader,
    internal_id_rows,
    name_file_id_rows,
    read_meta,
    recycle_name_rows,
    sprite_rows,
    sub_asset_names,
)
from scripts.make_fixture import folder_meta, guid_of, meta, native_meta, script_meta, texture_meta

PATH = "Assets/A.png"
GUID = guid_of(PATH).encode()


def read(text: str | bytes) -> MetaFacts:
    """Read a meta in both ways: as the only one, and by a reader that has seen it before."""
    data = text.encode() if isinstance(text, str) else text
    found = read_meta(data)
    reader = MetaReader()
    assert reader.read(data) == found
    assert reader.read(data) == found
    guid, facts, others = MetaReader(tables=False).read(data)
    assert (guid, _of_a_bake(facts), others) == (found[0], _of_a_bake(found[1]), found[2])
    return found


def _of_a_bake(facts: ImporterFacts) -> ImporterFacts:
    nothing = {"internal_ids": b"", "recycle_names": b"", "name_file_ids": b""}
    return facts._replace(**nothing)  # type: ignore[arg-type]  # fields by name


def test_a_bake_does_without_tables() -> None:
    body = "  serializedVersion: 27\n  internalIDToNameTable:\n  - first:\n      74: 7\n    second: Take 001\n"
    data = meta(PATH, "ModelImporter", body + "  externalObjects: {}\n").encode()
    assert MetaReader(tables=False).read(data)[1].internal_ids == b""
    assert MetaReader().read(data)[1].internal_ids != b""


def facts(text: str | bytes) -> ImporterFacts:
    return read(text)[1]


def test_an_ordinary_meta() -> None:
    assert read(meta(PATH)) == (GUID, ImporterFacts(importer="DefaultImporter"), ())


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        lambda text: text.replace("\n  ", "\r\n  "),  # mixed line ends
        lambda text: text.replace(guid_of(PATH), guid_of(PATH).upper()),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("guid:", "timeCreated: 1\nguid:"),
        lambda text: text.replace("guid: ", "guid:   ").replace("\nScripted", "  \nScripted"),
    ],
)
def test_the_same_meta_in_other_clothes(change: "object") -> None:
    text = texture_meta(PATH, mode=2, kind=8, sprites=(("a", 1), ("b", -2)))
    assert callable(change)
    guid, found, others = read(change(text))
    assert (guid, others) == (GUID, ())
    assert (found.importer, found.texture_type, found.sprite_mode) == ("TextureImporter", 8, 2)
    assert sprite_rows(found.sprites) == [(1, SPRITE, b"a"), (-2, SPRITE, b"b")]


@pytest.mark.parametrize("front", ["importerOverride:\n  nativeImporterType: 1\n", "labels:\n- a\n"])
@pytest.mark.parametrize("odd", ["", "{}"])
def test_what_stands_in_front_of_the_importer_is_no_importer(front: str, odd: str) -> None:
    rest = f"{front}ScriptedImporter:\n  userData: x\n  assetBundleName: b\n"
    text = f"fileFormatVersion: 2\nguid: {guid_of(PATH)}\n{rest}"
    found = facts(text.replace("guid: ", '"guid": ') if odd else text)
    assert (found.importer, found.user_data, found.asset_bundle_name) == ("ScriptedImporter", "x", "b")


@pytest.mark.parametrize("end", ["", "\n"])
def test_minimal_metas(end: str) -> None:
    assert read(f"fileFormatVersion: 2\nguid: {guid_of(PATH)}{end}") == (GUID, NO_IMPORTER, ())


@pytest.mark.parametrize(
    "text",
    ["", "\n", "guid:", "guid: 123\n", "guid: " + "g" * 32, " guid: " + "a" * 32, "guid: " + "a" * 33, "\0" * 64],
)
def test_no_guid(text: str) -> None:
    assert read(text)[0] == b""


@pytest.mark.parametrize("marker", [7, 8])
def test_conflict_markers_give_both_guids(marker: int) -> None:
    ours, theirs = "a" * 32, "b" * 32
    text = (
        f"fileFormatVersion: 2\n{'<' * marker} HEAD\nguid: {ours}\n{'=' * marker}\nguid: {theirs}\n{'>' * marker} x\n"
    )
    guid, found, others = read(text + "MonoImporter:\n  externalObjects: {}\n")
    assert (guid, others, found.conflict) == (ours.encode(), (theirs.encode(),), True)


def test_a_conflict_behind_the_guid_is_one_as_well() -> None:
    text = meta(PATH).replace("  userData: \n", "<<<<<<< HEAD\n  userData: \n=======\n  userData: x\n>>>>>>> y\n")
    guid, found, others = read(text)
    assert (guid, found.conflict, others) == (GUID, True, ())


def test_angle_brackets_alone_are_no_conflict() -> None:
    assert not facts(meta(PATH).replace("userData: ", "userData: <<<<<<< not at the start of a line")).conflict


def test_folders() -> None:
    assert facts(folder_meta(PATH)).folder
    assert not facts(meta(PATH)).folder
    assert not facts(script_meta(PATH).replace("userData: ", "userData: folderAsset: yes")).folder


@pytest.mark.parametrize(
    ("text", "importer"),
    [
        (script_meta(PATH), "MonoImporter"),
        (native_meta(PATH), "NativeFormatImporter"),
        (meta(PATH, "ScriptedImporter"), "ScriptedImporter"),
        (meta(PATH, head="timeCreated: 1479\nlicenseType: Pro\n"), "DefaultImporter"),
        (meta(PATH, head="labels:\n- A\n"), "DefaultImporter"),
        (f"guid: {'a' * 32}\nDefaultImporter: {{}}\n", "DefaultImporter"),
    ],
)
def test_importers(text: str, importer: str) -> None:
    assert facts(text).importer == importer


def test_labels_bundles_and_user_data() -> None:
    text = meta(PATH, head="labels:\n- Hero\n- 'Sci-Fi: Door'\n- \"\\u2122\"\n")
    text = text.replace("userData: \n", "userData: '{\"note\":1}'\n").replace("Name: \n", "Name: heroes/all\n")
    found = facts(text.replace("Variant: \n", "Variant: hd\n"))
    assert found.labels == ("Hero", "Sci-Fi: Door", "™")
    assert (found.asset_bundle_name, found.asset_bundle_variant) == ("heroes/all", "hd")
    assert found.user_data == '{"note":1}'


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("plain_0", b"plain_0"),
        ("with space (2)", b"with space (2)"),
        ("'[0]'", b"[0]"),
        ('"q\\u2122"', b"q\xe2\x84\xa2"),
        ("Grün", "Grün".encode()),
        ("'Material #75'", b"Material #75"),
        ("x", b"x"),
        ("trailing.", b"trailing."),
        ("'- '", b"- "),
    ],
)
def test_names_of_sprites(written: str, name: bytes) -> None:
    found = facts(texture_meta(PATH, mode=2, kind=8, sprites=(("before", 1), (written, 2), ("behind", 3))))
    assert sprite_rows(found.sprites) == [(1, SPRITE, b"before"), (2, SPRITE, name), (3, SPRITE, b"behind")]


def test_the_sheets_own_internal_id_belongs_to_no_sprite() -> None:
    # The Rust crate gives it to the last sprite: 9,466 wrong rows on unitystation.
    found = facts(texture_meta(PATH, mode=2, kind=8, sprites=(("only", 5531),)))
    assert b"internalID: 0" not in found.sprites
    assert sprite_rows(found.sprites) == [(5531, SPRITE, b"only")]


def test_a_sprite_may_have_the_id_0() -> None:
    found = facts(texture_meta(PATH, mode=2, kind=8, sprites=(("zero", 0), ("one", 1))))
    assert sprite_rows(found.sprites) == [(0, SPRITE, b"zero"), (1, SPRITE, b"one")]


def test_sprites_without_ids_have_no_rows() -> None:
    found = facts(texture_meta(PATH, mode=2, kind=8, sprites=(("a", None), ("b", 7), ("c", None))))
    assert sprite_rows(found.sprites) == [(7, SPRITE, b"b")]


@pytest.mark.parametrize(
    ("number", "rows"),
    [(2**63 - 1, [2**63 - 1]), (-(2**63), [-(2**63)]), (2**63, []), (-(2**63) - 1, []), (2**53 + 1, [2**53 + 1])],
)
def test_ids_are_int64(number: int, rows: list[int]) -> None:
    sprites = facts(texture_meta(PATH, mode=2, kind=8, sprites=(("a", number),))).sprites
    assert [row[0] for row in sprite_rows(sprites)] == rows
    uneven = facts(texture_meta(PATH, mode=2, kind=8, sprites=(("a", number), ("b", None)))).sprites
    assert [row[0] for row in sprite_rows(uneven)] == rows
    ids = facts(texture_meta(PATH, internal_ids=((213, number, "a"),))).internal_ids
    assert [row[0] for row in internal_id_rows(ids)] == rows
    names = facts(texture_meta(PATH, recycle_names=((number, "a"),))).recycle_names
    assert [row[0] for row in recycle_name_rows(names)] == rows
    table = facts(texture_meta(PATH, name_file_ids=(("a", number),), sprites=(("a", 1),))).name_file_ids
    assert [row[0] for row in name_file_id_rows(table)] == rows


def test_the_other_tables() -> None:
    found = facts(texture_meta(PATH, internal_ids=((213, 21300000, "a_0"), (74, -9, "'take: 1'"))))
    assert internal_id_rows(found.internal_ids) == [(21300000, 213, b"a_0"), (-9, 74, b"take: 1")]
    body = "  serializedVersion: 27\n  internalIDToNameTable:\n  - first:\n      74: 7\n    second: Take 001\n"
    found = facts(meta(PATH, "ModelImporter", body + "  externalObjects: {}\n"))  # BoatAttack's Env_Cave.fbx
    assert internal_id_rows(found.internal_ids) == [(7, 74, b"Take 001")]
    found = facts(texture_meta(PATH, recycle_names=((4300002, "Body"), (100000, "//RootNode"), (-5, "odd"))))
    rows = [(4300002, 43, b"Body"), (100000, 1, b"//RootNode"), (-5, 0, b"odd")]
    assert recycle_name_rows(found.recycle_names) == rows
    found = facts(texture_meta(PATH, sprites=(("n_0", 31),), name_file_ids=(("n_0", 31), ("'n: 1'", -32))))
    assert name_file_id_rows(found.name_file_ids) == [(31, SPRITE, b"n_0"), (-32, SPRITE, b"n: 1")]


@pytest.mark.parametrize(
    ("settings", "number"),
    [
        ("  textureType: 0\n  textureShape: 1\n", 0),
        ("  textureType: 0\n  textureShape: 2\n", 89),
        ("  textureType: 0\n  other: 1\n  textureShape: 4\n", 187),
        ("  textureShape: 8\n", 117),
        ("  textureType: 0\n  textureShape: 3\n", 0),
        ("  textureType: 0\n  textureShape: 99999999999999999999\n", 0),
        ("  generateCubemap: 6\n  textureType: 3\n", 89),
        ("  generateCubemap: 6\n  textureType: 0\n  textureShape: 1\n", 0),
        ("  generateCubemap: 0\n  textureType: 5\n", 0),
        ("  userData: 'textureShape: 2'\n", 0),
    ],
)
@pytest.mark.parametrize("mode", ["", "  spriteMode: 0\n"])
def test_a_texture_that_is_not_flat_has_a_class_of_its_own(settings: str, number: int, mode: str) -> None:
    assert facts(meta(PATH, "TextureImporter", mode + settings)).texture_class == number
    assert facts(meta(PATH, "ModelImporter", mode + settings)).texture_class == 0


def test_empty_tables_are_empty() -> None:
    found = facts(texture_meta(PATH, mode=1, kind=8))
    assert (found.sprites, found.internal_ids, found.recycle_names, found.name_file_ids) == (b"", b"", b"", b"")


def test_which_table_names_an_id() -> None:
    found = ImporterFacts(
        sprites=facts(texture_meta(PATH, sprites=(("sheet", 1),))).sprites,
        name_file_ids=facts(texture_meta(PATH, sprites=(("x", 9),), name_file_ids=(("n", 1), ("n", 2)))).name_file_ids,
        internal_ids=facts(texture_meta(PATH, internal_ids=tuple((213, n, "i") for n in (1, 2, 3)))).internal_ids,
        recycle_names=facts(texture_meta(PATH, recycle_names=tuple((n, "r") for n in (1, 2, 3, 4)))).recycle_names,
    )
    assert {number: row[2] for number, row in sub_asset_names(found).items()} == {
        1: b"sheet",
        2: b"n",
        3: b"i",
        4: b"r",
    }


def test_a_plugins_row_without_a_key_is_read_over() -> None:
    body = "  platformData:\n  - first:\n      : Any\n    second:\n      enabled: 0\n"
    assert read(meta(PATH, "PluginImporter", body)) == (GUID, ImporterFacts(importer="PluginImporter"), ())


def test_a_reader_does_not_mix_metas_up() -> None:
    reader = MetaReader()
    texts = [texture_meta(f"Assets/{n}.png", mode=n % 4, kind=8, sprites=((f"s{n % 3}", n % 3),)) for n in range(24)]
    for text in texts * 2:
        assert reader.read(text.encode()) == read_meta(text.encode())


@pytest.mark.parametrize(
    "sprites", [b"", b"\n", b"\n    - odd", b"\n    - name: a", b"\n    - - {x: 1}\n      - {x: 2}"]
)
def test_a_sheet_without_a_whole_row_has_no_rows(sprites: bytes) -> None:
    assert sprite_rows(sprites) == []
    text = texture_meta(PATH, sprites=(("a", 1),))
    start, end = (
        text.index("    sprites:\n") + 12,
        text.index("\n    outline: []\n    physicsShape: []\n    bones: []\n    spr"),
    )
    assert sprite_rows(facts(text[:start].encode() + sprites + text[end:].encode()).sprites) == []


@pytest.mark.parametrize(
    ("number", "class_id"),
    [(99_999, 0), (100_000, 1), (999_999_999, 9999), (1_000_000_000, 0), (1_000_050_000, 0), (0, 0), (-100_000, 0)],
)
def test_a_small_id_has_its_class(number: int, class_id: int) -> None:
    names = facts(texture_meta(PATH, recycle_names=((number, "a"),))).recycle_names
    assert recycle_name_rows(names) == [(number, class_id, b"a")]


def test_keys_in_another_order_are_found() -> None:
    text = texture_meta(PATH, mode=2, kind=8)
    assert (facts(text).sprite_mode, facts(text).texture_type) == (2, 8)
    mode, kind = "  spriteMode: 2\n", "  textureType: 8\n"
    swapped = text.replace(mode, "").replace(kind, kind + mode)
    assert swapped.index(kind) < swapped.index(mode)
    assert (facts(swapped).sprite_mode, facts(swapped).texture_type) == (2, 8)
    assert (facts(text.replace(kind, "")).texture_type, facts(text.replace(mode, "")).sprite_mode) == (-1, -1)


def test_a_table_ends_at_the_next_key() -> None:
    found = facts(texture_meta(PATH, internal_ids=((213, 21300000, "a_0"), (74, -9, "b"))))
    assert found.internal_ids.count(b"first:") == 2
    assert found.internal_ids.rstrip().endswith(b"second: b")
