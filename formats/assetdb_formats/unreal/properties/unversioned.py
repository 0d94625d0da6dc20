"""Unversioned properties: a schema's fields without tags.

A header of 16-bit fragments (skip 7 bits, has zeros 1, last 1, values 7) has the numbers of the stored fields; a mask
has the fields that are all zero and not written.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.properties.decoded import Property

if TYPE_CHECKING:
    from typing import Any

    from assetdb_formats.unreal.properties.usmap import Mappings
    from assetdb_formats.unreal.properties.value_decoder import ValueDecoder

_U16 = Struct("<H")
_DEEPEST = 48
_ZEROS: dict[str, Any] = {"BoolProperty": False, "StrProperty": "", "NameProperty": "None", "ArrayProperty": []}


class UnversionedReader:
    """Reads unversioned properties with a decoder for their values."""

    def __init__(self, decoder: ValueDecoder, mappings: Mappings) -> None:
        self._decoder = decoder
        self._mappings = mappings
        decoder.read_struct = self.read

    def read(self, struct: str, position: int, end: int) -> tuple[list[Property], int]:
        """Read the properties of one class or struct.

        Raises:
            UnrealError: if the mappings do not have it, a value cannot be read, or the header leaves the schema.
        """
        decoder = self._decoder
        slots = self._mappings.slots(struct)
        start = position
        present, position = self._header(position, end, len(slots))
        found: list[Property] = []
        decoder.depth += 1
        try:
            if decoder.depth > _DEEPEST:
                raise UnrealError("structs nest too deep", offset=position, field=struct)
            for number, zero in present:
                decoder.spend(position)
                slot = slots[number]
                if slot is None:
                    raise UnrealError(f"property {number} has no type in the mappings", offset=start, field=struct)
                prop, element = slot
                value, after = _ZEROS.get(prop.type.name, 0), position
                if not zero:
                    value, after = decoder.value(prop.type, position, end, item=True)
                if after > end:
                    raise UnrealError(f"{prop.name} goes past the end", offset=position, field=struct)
                if prop.type.name == "EnumProperty":
                    value = self._mappings.enumerations.get(prop.type.parameter(), {}).get(value, value)
                found.append(Property(prop.name, prop.type, element, value, position, after - position))
                position = after
        finally:
            decoder.depth -= 1
        return found, position

    def _header(self, position: int, end: int, slots: int) -> tuple[list[tuple[int, bool]], int]:
        """Read which numbers follow, each with whether it is zero."""
        data = self._decoder.data
        start = position
        number = 0
        runs: list[tuple[int, int, bool]] = []
        masked = 0
        while True:
            if position + 2 > end:
                raise UnrealError("the header is cut off", offset=start, field="properties")
            (fragment,) = _U16.unpack_from(data, position)
            position += 2
            number += fragment & 0x7F
            count = fragment >> 9
            if count:
                has_zeros = bool(fragment & 0x80)
                runs.append((number, count, has_zeros))
                if has_zeros:
                    masked += count
                number += count
                if number > slots:
                    raise UnrealError(f"property {number} of {slots}", offset=start, field="properties")
            if fragment & 0x100:
                break
            if position - start > 4 * (slots + 2):
                raise UnrealError("a header without an end", offset=start, field="properties")
        mask = 0
        if masked:
            size = 1 if masked <= 8 else 2 if masked <= 16 else 4 * ((masked + 31) // 32)
            if position + size > end:
                raise UnrealError("the zero mask is cut off", offset=position, field="properties")
            mask = int.from_bytes(data[position : position + size], "little")
            position += size
        present: list[tuple[int, bool]] = []
        for first, count, has_zeros in runs:
            for place in range(first, first + count):
                zero = False
                if has_zeros:
                    zero = bool(mask & 1)
                    mask >>= 1
                present.append((place, zero))
        return present, position
