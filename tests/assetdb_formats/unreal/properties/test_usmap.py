"""Mappings: the numbers of a class's properties, within bounds."""

from __future__ import annotations

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.properties.tags import TypeName
from assetdb_formats.unreal.properties.usmap import Mappings, Schema, SchemaProperty


def test_numbers_of_the_derived_class_come_first() -> None:
    kind = TypeName("IntProperty")
    own, inherited = SchemaProperty("Own", 1, 2, kind), SchemaProperty("Inherited", 0, 1, kind)
    mappings = Mappings({"A": Schema("A", "B", 3, [own]), "B": Schema("B", "", 1, [inherited])}, {})
    assert mappings.slots("A") == [None, (own, 0), (own, 1), (inherited, 0)]


def test_schemas_cannot_count_without_end() -> None:
    # Each takes 14 bytes of the file, and counts up to 65,535 properties.
    schemas = {f"S{number}": Schema(f"S{number}", f"S{number + 1}", 0xFFFF, []) for number in range(100)}
    with pytest.raises(UnrealError, match="more than 65536 properties"):
        Mappings(schemas, {}).slots("S0")
