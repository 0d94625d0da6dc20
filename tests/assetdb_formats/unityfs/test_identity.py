from __future__ import annotations

from assetdb_formats.addressables.hashes import spooky_hash
from assetdb_formats.codecs.md4 import md4
from assetdb_formats.unityfs.identity import (
    IMPORTED,
    NATIVE,
    Source,
    archive_name,
    builtin_path_id,
    object_path_id,
    path_ids,
)


def test_the_internal_name_of_a_bundle() -> None:
    # Both are in Unity's own UnityDataTools test bundles: the first is the file, the second its external.
    assert archive_name("assetbundle") == "CAB-5d40f7cad7c871cf2ad2af19ac542994"
    assert archive_name("assetbundle2") == "CAB-35fce856128a6714740898681ea54bbe"
    # And of Addressables groups of Unity 2018.
    assert archive_name("packedassets_assets_all.bundle") == "CAB-377ef1f329cdbc5a0f9bdbb59614ec47"


def test_another_hash_gives_another_name() -> None:
    assert archive_name("x", lambda data: data * 16) == "CAB-" + "78" * 16


def test_every_part_of_a_source_counts() -> None:
    guid = "0123456789abcdef0123456789abcdef"
    sources = [
        Source(guid, NATIVE, 2100000),
        Source(guid, IMPORTED, 2100000),
        Source(guid, NATIVE, -2100000),
        Source(guid[::-1], NATIVE, 2100000),
        Source("", 0, 2100000),
    ]
    found = path_ids(sources)
    assert set(found.values()) == set(sources)
    assert found[object_path_id(guid, NATIVE, 2100000)] == sources[0]
    assert found[builtin_path_id(2100000)] == sources[4]
    assert all(-(2**63) <= path_id < 2**63 for path_id in found)


def test_addressables_since_2020_name_with_spooky_hash() -> None:
    assert archive_name("catalog.bundle", spooky_hash) == "CAB-9b67bff01fcf00c946057f107ae966a5"


def test_a_path_id_is_the_beginning_of_a_hash_of_guid_type_and_id() -> None:
    guid = "0123456789abcdef0123456789abcdef"
    for found, key in (
        (object_path_id(guid, NATIVE, 5), guid.encode() + b"\2\0\0\0" + b"\5" + bytes(7)),
        (object_path_id(guid, IMPORTED, -1), guid.encode() + b"\3\0\0\0" + b"\xff" * 8),
        (builtin_path_id(258), b"Resources/unity_builtin_extra" + b"\2\1" + bytes(6)),
        (builtin_path_id(1, "a/b"), b"a/b" + b"\1" + bytes(7)),
    ):
        assert found == int.from_bytes(md4(key)[:8], "little", signed=True)
