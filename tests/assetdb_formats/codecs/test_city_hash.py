"""CityHash64 against published results, and the ids that are made with it."""

from __future__ import annotations

import random
from importlib import import_module
from importlib.util import find_spec

import pytest

from assetdb_formats.codecs.city_hash import city_hash_64, name_hash, object_path_hash, package_id

# From Google's own implementation, bytes 0, 1, 2, ...
CITY = {
    0: 0x9AE16A3B2F90404F,
    1: 0xBE6056EDF5E94B54,
    3: 0x94A13D22E9EBA49A,
    7: 0xA2E0BFF20DB0A6A1,
    12: 0x9FD5DF33AEFC3D7D,
    16: 0x0EFD25A0A34156D4,
    17: 0xBBB6A6F8F20D1F1C,
    32: 0x1A9D8199972CDF49,
    33: 0x46E1378CBC22DABA,
    64: 0xE99AB80F5EC7DCA5,
    65: 0xAC589C990483DD2E,
    128: 0x10B153630AF1F395,
    200: 0xF4D24E8C7493C3D8,
}
# Rows of Google's own test, of so many of its random bytes.
ROWS = {
    2: 0x0F3786A4B25827C1,
    4: 0x11DF592596F41D88,
    8: 0xA0F10149A0E538D6,
    16: 0x03EAD5F21D344056,
    17: 0x6ABBFDE37EE03B5B,
    32: 0x0782FA1B08B475E7,
    33: 0xC5DC19B876D37A80,
    64: 0xE88419922B87176F,
    65: 0x105191E0EC8F7F60,
}


def test_bytes_of_each_length_have_their_published_hash() -> None:
    for size, expected in CITY.items():
        assert city_hash_64(bytes(range(size))) == expected
    data = bytearray()
    a, b, factor, mask = 9, 777, 0xC3A5C85C97CB3127, (1 << 64) - 1
    for number in range(66 * 66):
        a = (a + b) & mask
        b = (b + a) & mask
        a = ((a ^ a >> 41) * factor) & mask
        b = ((b ^ b >> 41) * factor + number) & mask
        data.append(b >> 37 & 0xFF)
    for size, expected in ROWS.items():
        assert city_hash_64(bytes(data[size * size :][:size])) == expected


@pytest.mark.skipif(find_spec("cityhash") is None, reason="the cityhash wheel is not installed")
def test_city_hash_equals_the_wheel() -> None:
    peer = import_module("cityhash")
    random.seed(7)
    for size in [*range(140), 1000, 4096]:
        data = random.randbytes(size)
        assert city_hash_64(data) == peer.CityHash64(data)


def test_ids_do_not_depend_on_case_and_object_paths_not_on_their_marks() -> None:
    assert package_id("/Game/MAPS/Arena") == package_id("/game/maps/arena")
    assert object_path_hash("/Script/Engine.Actor:Tick") == object_path_hash("/script/engine/actor/tick")
    assert object_path_hash("/Script/Engine") < 1 << 62


def test_ids_are_hashes_of_a_lower_cased_text() -> None:
    assert package_id("/Game/Zaß") == city_hash_64("/game/zaß".encode("utf-16-le"))
    assert package_id("ÄZ[@\ud800") == city_hash_64(b"\xc4\0z\0[\0@\0\0\xd8")  # ASCII alone is lower-cased
    assert (name_hash("Arena"), name_hash("Ä")) == (city_hash_64(b"arena"), city_hash_64(b"\xc4\0"))
    whole = package_id("/script/engine/actor/tick")
    assert object_path_hash("/Script/Engine.Actor:Tick") == whole & 0x3FFFFFFFFFFFFFFF
