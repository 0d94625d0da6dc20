"""Decoded values of properties, and the references among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from assetdb_formats.unreal.packages.references import SoftObjectPath

if TYPE_CHECKING:
    from assetdb_formats.unreal.properties.tags import TypeName


class Property(NamedTuple):
    """One property with its value, and where the value is, from the start of its export."""

    name: str
    type: TypeName
    array_index: int
    value: Any
    offset: int
    size: int


class Opaque(NamedTuple):
    """Bytes that were passed over: ``size`` of them at ``offset``."""

    offset: int
    size: int


class ObjectReference(NamedTuple):
    """An object index, as a value."""

    object_index: int


class References:
    """What the values of an export refer to, in the order found, with repetitions."""

    def __init__(self) -> None:
        self.objects: list[int] = []
        self.soft: list[SoftObjectPath] = []

    def mark(self) -> tuple[int, int]:
        """Return a place to go back to."""
        return len(self.objects), len(self.soft)

    def back(self, mark: tuple[int, int]) -> None:
        """Forget what was found since ``mark``: it was read in a way that turned out wrong."""
        del self.objects[mark[0] :]
        del self.soft[mark[1] :]


def soft_path(text: str) -> SoftObjectPath:
    """Split ``/Game/A.A:Inner`` into its parts."""
    package, dot, rest = text.partition(".")
    asset, _, inner = rest.partition(":")
    return SoftObjectPath(package, asset if dot else "", inner)
