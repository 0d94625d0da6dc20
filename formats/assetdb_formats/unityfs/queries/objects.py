"""Lookup of objects by PathID, container path, name or class."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from assetdb_formats.unityfs.bundle import Bundle, ObjectReader


class ObjectInfo(NamedTuple):
    """The description of an object, without its values.

    Attributes:
        class_name: the name of its class, or the number where unknown.
        name: ``m_Name``, or ``""``.
        container: the paths that scripts load it by.
    """

    file: str
    path_id: int
    class_name: str
    class_id: int
    name: str
    size: int
    container: tuple[str, ...]

    @property
    def id(self) -> str:
        """``file:PathID``."""
        return f"{self.file}:{self.path_id}"


class Lookup(NamedTuple):
    """The objects found for a search word.

    ``by`` is how they were found; ``names`` are all names there are, where nothing was found.
    """

    by: str
    objects: tuple[ObjectReader, ...]
    names: frozenset[str] = frozenset()


def describe(found: ObjectReader) -> ObjectInfo:
    """Return the description of an object."""
    return ObjectInfo(
        found.file.node.path,
        found.path_id,
        found.class_name,
        found.entry.class_id,
        found.name,
        found.entry.size,
        found.container,
    )


def lookup(bundle: Bundle, word: str) -> Lookup:
    """Return the objects of a PathID, container path or name.

    They are tried in that order; a PathID may have its file in front (``file:PathID``), and paths match in any case.
    """
    objects = list(bundle.objects())
    path_id = word.rpartition(":")[2]
    found = tuple(item for item in objects if str(item.path_id) == path_id and word in (path_id, item.id))
    if found:
        return Lookup("PathID", found)
    folded = word.casefold()
    paths = {key for key, known in bundle.container_paths().items() if folded in map(str.casefold, known)}
    found = tuple(item for item in objects if (item.file.node.path, item.path_id) in paths)
    if found:
        return Lookup("container path", found)
    names = [item.name for item in objects]
    found = tuple(item for item, name in zip(objects, names, strict=True) if name == word)
    if found:
        return Lookup("name", found)
    known = {*names, *(path for paths in bundle.container_paths().values() for path in paths)} - {""}
    return Lookup("", (), frozenset(known))


def find_object(bundle: Bundle, word: str) -> ObjectReader | None:
    """Return the single object under a word, else None."""
    if word and any(node.path == word for node in bundle.nodes):
        return None
    found = lookup(bundle, word).objects
    return found[0] if len(found) == 1 else None


def search(bundle: Bundle, matches: Callable[[str], object], classes: Collection[str] = ()) -> Iterator[ObjectInfo]:
    """Yield objects (of given classes) with a matching name or container path."""
    for found in bundle.objects(classes):
        info = describe(found)
        if any(matches(text) for text in (info.name, *info.container)):
            yield info
