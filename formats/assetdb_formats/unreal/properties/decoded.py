"""Decoded values of properties, and the references among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from assetdb_formats.unreal.packages.references import SoftObjectPath

if TYPE_CHECKING:
    from assetdb_formats.unreal.properties.tags import TypeName


class Property(NamedTuple):
    """A property with its value, and the range in its export."""

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


class TextKey(NamedTuple):
    """The key of a localized text.

    Attributes:
        namespace: for a text of a string table, the table's name.
        source: the text in the native culture; ``""`` where the string table has it.
    """

    namespace: str
    key: str
    source: str


class References:
    """The references in an export's values, in order, with repetitions."""

    def __init__(self) -> None:
        self.objects: list[int] = []
        self.soft: list[SoftObjectPath] = []
        self.texts: list[TextKey] = []

    def mark(self) -> tuple[int, int, int]:
        """Return a place to go back to."""
        return len(self.objects), len(self.soft), len(self.texts)

    def back(self, mark: tuple[int, int, int]) -> None:
        """Drop the references that a failed attempt found since ``mark``."""
        del self.objects[mark[0] :]
        del self.soft[mark[1] :]
        del self.texts[mark[2] :]


def soft_path(text: str) -> SoftObjectPath:
    """Split ``/Game/A.A:Inner`` into its parts."""
    package, dot, rest = text.partition(".")
    asset, _, inner = rest.partition(":")
    return SoftObjectPath(package, asset if dot else "", inner)
