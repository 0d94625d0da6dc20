"""Lookup of objects by PathID, container path, name or class."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from assetdb_formats.unityfs.bundle import Bundle, ObjectReader


class ObjectInfo(NamedTuple):
    """What a bundle says of an object without its values.

    Attributes:
        file: the SerializedFile it is in.
        path_id: its number there.
        class_name: Unity's name of its class, or the number where it is not known.
        class_id: Unity's class number.
        name: ``m_Name``, or ``""``.
        size: in bytes.
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
    """What was found under a word, and how: ``names`` are all that there are, where nothing was found."""

    by: str
    objects: tuple[ObjectReader, ...]
    names: frozenset[str] = frozenset()


def describe(found: ObjectReader) -> ObjectInfo:
    """Return what a bundle says of an object. Raises UnityFSError."""
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
    """Return the objects of a PathID or ``file:PathID``, else of a container path (in any case), else of a name.

    Raises:
        UnityFSError: a file of the bundle, or the beginning of an object, is damaged.
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
    """Return the object under a word; None where that is a file of the bundle, or not one object.

    Raises:
        FormatError: as :func:`lookup`.
    """
    if word and any(node.path == word for node in bundle.nodes):
        return None
    found = lookup(bundle, word).objects
    return found[0] if len(found) == 1 else None


def search(bundle: Bundle, matches: Callable[[str], object], classes: Collection[str] = ()) -> Iterator[ObjectInfo]:
    """Yield the objects of these classes (all without any) whose name or one of whose container paths matches.

    Raises:
        UnityFSError: a file of the bundle, or the beginning of an object, is damaged.
    """
    for found in bundle.objects(classes):
        info = describe(found)
        if any(matches(text) for text in (info.name, *info.container)):
            yield info
