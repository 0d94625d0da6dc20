import mmap
import os
import random
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assetdb
from assetdb.errors import DatabaseError
from assetdb.store import database, schema
from assetdb.store.files import INDEX_NAME, LOCK_NAME
from assetdb.store.indexes import writer
from assetdb_formats.atomic import put_in_place
from assetdb_formats.binary import FormatError
from assetdb_formats.codecs import bincode
from scripts.fixture import GOLDEN
from scripts.make_fixture import SCRIPT_OF_ITEMS, guid_of

DATABASE = GOLDEN / "asset-db.bin"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a copy of the golden database without an index."""
    return Path(shutil.copyfile(DATABASE, tmp_path / "asset-db.bin"))


def by_hand(*entries: tuple[int, bytes, bytes]) -> bytes:
    """Return a database of entries given as GUID, type and bincode body."""
    entries = tuple(sorted(entries))
    return schema.encode(
        [guid.to_bytes(16, "big") for guid, _, _ in entries],
        [kind for _, kind, _ in entries],
        [body for _, _, body in entries],
    )[0]


BODY = bincode.string(b"Name") + b"\0" + bincode.string(b"Assets/Name.txt")


# --- bincode


@pytest.mark.parametrize(
    ("number", "encoded"),
    [
        (0, "00"),
        (250, "fa"),
        (251, "fbfb00"),
        (65535, "fbffff"),
        (65536, "fc00000100"),
        (2**32 - 1, "fcffffffff"),
        (2**32, "fd0000000001000000"),
        (2**64 - 1, "fdffffffffffffffff"),
        (2**64, "fe00000000000000000100000000000000"),
        (2**128 - 1, "fe" + "ff" * 16),
    ],
)
def test_each_width_of_a_varint(number: int, encoded: str) -> None:
    assert bincode.unsigned(number).hex() == encoded
    assert bincode.Decoder(bytes.fromhex(encoded)).unsigned() == number
    assert bincode.guid(number.to_bytes(16, "big")).hex() == encoded


@pytest.mark.parametrize(
    ("number", "encoded"),
    [(0, "00"), (-1, "01"), (1, "02"), (125, "fa"), (-126, "fbfb00"), (2**63 - 1, "fdfeffffffffffffff")],
)
def test_zigzag(number: int, encoded: str) -> None:
    assert bincode.signed(number).hex() == encoded
    assert bincode.Decoder(bytes.fromhex(encoded)).signed() == number


@given(
    st.lists(st.one_of(st.integers(0, 2**128 - 1), st.binary(max_size=300)), max_size=20),
    st.integers(-(2**63), 2**63 - 1),
)
def test_what_is_encoded_is_decoded(values: list[int | bytes], number: int) -> None:
    parts = [bincode.unsigned(value) if isinstance(value, int) else bincode.string(value) for value in values]
    decoder = bincode.Decoder(b"".join([*parts, bincode.signed(number)]))
    for value in values:
        assert (decoder.unsigned() if isinstance(value, int) else decoder.string()) == value
    assert decoder.signed() == number
    assert decoder.position == decoder.end


@pytest.mark.parametrize("encoded", ["", "fb", "fb00", "fc000000", "fd00", "fe" + "00" * 15, "ff"])
def test_integers_that_are_cut_short(encoded: str) -> None:
    with pytest.raises(FormatError):
        bincode.Decoder(bytes.fromhex(encoded)).unsigned("field")


def test_counts_are_checked_against_what_is_left() -> None:
    with pytest.raises(FormatError, match="counts 18446744073709551615 items, 0 bytes are left"):
        bincode.Decoder(bytes.fromhex("fdffffffffffffffff")).string()


# --- the file


def test_entries_come_back_sorted_by_guid_with_their_scripts() -> None:
    guids = [2**127 + 5, 7, 2**64 + 1, 300]
    kinds = [b"%032x" % (2**120), b"28", b"%032x" % 9, b"%032x" % (2**120)]
    data = by_hand(*((guid, kind, BODY) for guid, kind in zip(guids, kinds, strict=True)))
    assert schema.read_header(data).scripts == (f"{9:032x}", f"{2**120:032x}")
    found = [(int(asset.guid, 16), asset.class_id, asset.script) for asset in schema.read_entries(data)]
    assert found == [
        (7, 28, ""),
        (300, 114, f"{2**120:032x}"),
        (2**64 + 1, 114, f"{9:032x}"),
        (2**127 + 5, 114, f"{2**120:032x}"),
    ]


def test_held_entries_are_those_that_are_decoded_one_by_one(path: Path) -> None:
    with database.open_database(path) as held, database.open_database(path) as other:
        held.hold()
        assert list(held) == list(other)
        assert [held.at(row) for row in range(len(held))] == list(other)
        assert all(held.by_guid(asset.guid) is held.at(row) for row, asset in enumerate(other))


def test_an_empty_database(tmp_path: Path) -> None:
    path = tmp_path / "asset-db.bin"
    path.write_bytes(by_hand())
    with assetdb.open_database(path) as opened:
        assert (len(opened), list(opened), opened.by_guid("0" * 32)) == (0, [], None)


# --- lookups


def test_lookups(path: Path) -> None:
    with assetdb.open_database(path) as opened:
        everything = list(opened)
        assert len(opened) == len(everything) > 70
        for asset in everything:
            assert opened.by_guid(asset.guid) == opened.by_guid(asset.guid.upper()) == asset
            assert asset.guid in opened
            assert asset in opened.by_name(asset.name)
            for row in asset.sub_assets:
                assert opened.by_id(asset.guid, row.file_id) == row
        assert "f" * 32 not in opened
        assert opened.by_guid("f" * 32) is None
        assert opened.by_id("f" * 32, 1) is None
        assert opened.by_name("no such name") == ()
        assert [asset.class_id for asset in opened.by_name("Foo")] == [115]


def test_a_bounded_number_of_entries_is_remembered(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_REMEMBERED", 3)
    with assetdb.open_database(path) as opened:
        everything = list(opened)
        for asset in everything * 2:
            assert opened.by_guid(asset.guid) is opened.by_guid(asset.guid)
            assert [opened.by_id(asset.guid, row.file_id) for row in asset.sub_assets] == list(asset.sub_assets)
            assert len(opened._remembered) <= 3
            assert len(opened._rows) <= 3


def test_the_three_rules_of_a_lookup_by_id(path: Path) -> None:
    texture, sheet = guid_of("Assets/Sprites/Plain.png"), guid_of("Assets/Sprites/Sheet.png")
    item, settings = guid_of(SCRIPT_OF_ITEMS), guid_of("Assets/Documents/Settings.asset")
    with assetdb.open_database(path) as opened:
        assert opened.by_id(sheet, -77) == assetdb.SubAsset(-77, 213, "walk_2")
        assert opened.by_id(texture, 2800000) == opened.by_guid(texture)
        assert opened.by_id(item, 11500000) == opened.by_guid(item)
        assert opened.by_id(settings, 11400000) == opened.by_guid(settings)
        assert opened.by_id(texture, 21300000) is None
        assert opened.by_id(texture, 21300000, texture_for_sprite=True) == opened.by_guid(texture)
        assert opened.by_id(sheet, 21300000, texture_for_sprite=True) == assetdb.SubAsset(21300000, 213, "walk_0")
        assert opened.by_id(item, 21300000, texture_for_sprite=True) is None
        assert opened.by_id(sheet, 12345) is None


@pytest.mark.parametrize("guid", ["", "123", "g" * 32, "a" * 33, "a" * 31, " " + "a" * 31, "0x" + "a" * 30])
def test_what_is_no_guid(path: Path, guid: str) -> None:
    with assetdb.open_database(path) as opened, pytest.raises(ValueError, match="32 hexadecimal digits"):
        opened.by_guid(guid)


def test_a_closed_database_can_be_removed(path: Path) -> None:
    opened = assetdb.open_database(path)
    opened.close()
    path.unlink()
    with pytest.raises(ValueError, match="released"):
        list(opened)


# --- the index


def lookups_hold(path: Path) -> None:
    with assetdb.open_database(path) as opened:
        for asset in list(opened):
            assert opened.by_guid(asset.guid) == asset


def test_an_index_is_made_where_there_is_none(path: Path) -> None:
    lookups_hold(path)
    made = path.with_name(INDEX_NAME)
    data = made.read_bytes()
    lookups_hold(path)
    assert made.read_bytes() == data


@pytest.mark.parametrize("damage", [b"", b"UADINDEX", b"x" * 4096, None])
def test_a_damaged_index_is_made_again(path: Path, damage: bytes | None) -> None:
    lookups_hold(path)
    made = path.with_name(INDEX_NAME)
    whole = made.read_bytes()
    made.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    lookups_hold(path)
    assert made.read_bytes() == whole


@pytest.mark.parametrize("damage", [b"UADINDEX", None])
def test_a_damaged_index_is_closed_before_it_is_replaced(
    path: Path, damage: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows does not replace a file that is mapped, so that each question would make the index again."""
    with assetdb.open_database(path):
        pass
    index = path.with_name("asset-db.index")
    data = bytearray(index.read_bytes())
    if damage is None:
        data[16] ^= 1  # the digest of another database, which is younger
        os.utime(path, (4e9, 4e9))
    index.write_bytes(damage or data)
    mapped: list[mmap.mmap] = []

    class Map(mmap.mmap):
        def __init__(self, *_: object, **__: object) -> None:
            mapped.append(self)

    monkeypatch.setattr("assetdb.store.database.mmap.mmap", Map)
    seen = []

    def replace(_: str, parts: list[bytes]) -> None:
        seen.append([map_.closed for map_ in mapped])
        index.write_bytes(b"".join(parts))

    monkeypatch.setattr("assetdb_formats.atomic.replace_file", replace)
    with assetdb.open_database(path) as opened:
        assert len(opened) > 0
    assert seen == [[False, True]]  # the database stays open


def test_an_index_of_another_database_of_the_same_size_is_made_again(path: Path) -> None:
    lookups_hold(path)
    data = path.read_bytes()
    old, new = guid_of("Assets/Sprites/Sheet.png"), guid_of("Assets/Sprites/Sheet.png")[:-1] + "f"
    changed = data.replace(bytes.fromhex(old)[::-1], bytes.fromhex(new)[::-1])
    assert changed != data
    path.write_bytes(changed)
    later = path.with_name(INDEX_NAME).stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(later, later))
    lookups_hold(path)
    with assetdb.open_database(path) as opened:
        assert opened.by_guid(old) is None
        assert opened.by_guid(new) is not None


def test_two_files_of_different_bakes_are_not_taken_together(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A save replaces the database and then its index; whoever opens both meanwhile opens them again."""
    lookups_hold(path)
    made = path.with_name(INDEX_NAME)
    path.with_name(LOCK_NAME).touch()  # so that nobody but the bake writes an index
    old = guid_of("Assets/Sprites/Sheet.png")
    new = old[:-1] + "f"
    first, later = path.read_bytes(), path.read_bytes().replace(bytes.fromhex(old)[::-1], bytes.fromhex(new)[::-1])
    aside = path.with_name("aside")
    real = database.map_file

    def map_and_save(place: str) -> object:
        found = real(place)
        if place == str(path) and path.read_bytes() == first:
            for target, data in ((path, later), (made, b"".join(writer.from_database(memoryview(later))))):
                aside.write_bytes(data)
                put_in_place(str(aside), str(target))
        return found

    monkeypatch.setattr(database, "map_file", map_and_save)
    with assetdb.open_database(path) as opened:
        assert opened.by_guid(new) is not None
        assert opened.by_guid(old) is None


def test_one_that_is_replaced_again_and_again_is_opened_at_last(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = database.map_file

    def map_and_replace(place: str) -> object:
        found = real(place)
        if place == str(path):
            path.with_name("aside").write_bytes(path.read_bytes())
            put_in_place(str(path.with_name("aside")), str(path))
        return found

    monkeypatch.setattr(database, "map_file", map_and_replace)
    with assetdb.open_database(path) as opened:
        assert len(opened)


def test_a_process_that_lives_long_maps_nothing_where_that_binds_files(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mapped: list[mmap.mmap] = []

    class Map(mmap.mmap):
        def __init__(self, *_: object, **__: object) -> None:
            mapped.append(self)

    monkeypatch.setattr("assetdb.store.database.mmap.mmap", Map)
    monkeypatch.setattr(database, "_maps_files", True)
    lookups_hold(path)
    assert mapped
    mapped.clear()
    database.leave_files_free(maps_bind=True)
    lookups_hold(path)
    with assetdb.open_database(path) as opened:
        for place in path.parent.iterdir():
            place.unlink()
        assert opened.by_guid(guid_of("Assets/Sprites/Sheet.png")) is not None
    assert not mapped
    database.leave_files_free(maps_bind=False)
    assert database._maps_files


# --- damage


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not an asset-db.bin"),
        (b"UADCACHE" + bytes(40), "not an asset-db.bin"),
        (b"UADBIN__", "the file ends here"),
        (b"UADBIN__\5\0\0", "schema version 5, this is 6: bake again"),
        (b"UADBIN__\6\0\xfd" + b"\xff" * 8, "counts"),
        (b"UADBIN__\6\xfa\0", "counts"),
        (b"UADBIN__\6\0\1\7\0\x1c\1A\0", "hint: the file ends here"),
        (b"UADBIN__\6\0\1\7\1\0\1A\0\1B", "script type 0 of 0"),
        (b"UADBIN__\6\0\1\7\2\0\1A\0\1B", "no asset type 2"),
    ],
)
def test_damaged_databases_are_a_typed_error(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "asset-db.bin"
    path.write_bytes(data)
    with pytest.raises(DatabaseError, match=message), assetdb.open_database(path) as opened:
        list(opened)


def test_every_cut_and_every_changed_byte_ends_in_an_answer_or_a_typed_error(tmp_path: Path) -> None:
    whole = DATABASE.read_bytes()
    rng = random.Random(1)
    samples = [whole[:size] for size in range(0, len(whole), 7)]
    for _ in range(2000):
        changed = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        samples.append(bytes(changed))
    refused = 0
    for sample in samples:
        try:
            for _ in schema.read_entries(sample):
                pass
            writer.from_database(sample)
        except DatabaseError:
            refused += 1
    assert refused > len(whole) // 7


def test_bytes_behind_the_last_entry_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "asset-db.bin"
    path.write_bytes(DATABASE.read_bytes() + b"\0")
    with pytest.raises(DatabaseError):
        assetdb.open_database(path)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        assetdb.open_database(tmp_path / "asset-db.bin")
