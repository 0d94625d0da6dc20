"""Script objects: rows, and the paths that their outers make."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.zen.script_objects import (
    ScriptObject,
    ScriptObjects,
    parse_loader_globals,
    parse_script_objects,
)
from tests.assetdb_formats.unreal.iostore.writer import name_batch, names_apart

NONE = (1 << 64) - 1
NAMES = ["/Script/Engine", "Actor", "Tick"]


def row(name: int, number: int, index: int, outer: int, default_of: int = NONE) -> bytes:
    return pack("<IIQQQ", name, number, index, outer, default_of)


ROWS = pack("<I", 3) + row(0, 0, 10, NONE) + row(1, 2, 11, 10, 77) + row(2, 0, 12, 11)


def test_a_row_is_a_name_its_index_its_outer_and_what_it_is_the_default_of() -> None:
    for found in (parse_script_objects(name_batch(NAMES) + ROWS), parse_loader_globals(ROWS, *names_apart(NAMES))):
        assert len(found) == 3
        assert found.objects == {
            10: ScriptObject("/Script/Engine", NONE, NONE),
            11: ScriptObject("Actor_1", 10, 77),
            12: ScriptObject("Tick", 11, NONE),
        }
        assert [found.path(index) for index in (10, 11, 12, 13)] == [
            "/Script/Engine",
            "/Script/Engine.Actor_1",
            "/Script/Engine.Actor_1:Tick",
            None,
        ]


def test_outers_lie_in_at_most_64_others() -> None:
    def chain(count: int) -> ScriptObjects:
        return ScriptObjects({number: ScriptObject("A", number - 1, NONE) for number in range(1, count + 1)}, 99)

    assert str(chain(64).path(64)).count("A") == 64
    with pytest.raises(UnrealError, match="has its outers in a circle") as caught:
        chain(65).path(65)
    assert (caught.value.offset, caught.value.field) == (99, "objects[0000000000000001]")


def test_rows_that_are_damaged_are_an_error() -> None:
    batch = name_batch(NAMES)
    with pytest.raises(UnrealError, match="counts 2 items of 32 bytes, 32 bytes are left") as caught:
        parse_script_objects(batch + pack("<I", 2) + row(0, 0, 10, NONE))
    assert caught.value.field == "objects"
    with pytest.raises(UnrealError, match="refers to name 3 of 3") as caught:
        parse_script_objects(batch + pack("<I", 1) + row(3, 0, 10, NONE))
    assert (caught.value.offset, caught.value.field) == (len(batch) + 4, "objects.name")
