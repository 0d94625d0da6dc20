"""Lookup of objects by path, UUID, name or class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.casset.errors import NotInBundleError
from assetdb_formats.casset.identity import uuid_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from assetdb_formats.casset.model import Bundle, BundleObject


_SHOWN: Final = 3  # objects that an ambiguous word may mean


class Lookup(NamedTuple):
    """The objects found for a search word.

    ``by`` is how they were found; ``names`` are all names there are, where nothing was found.
    """

    by: str
    objects: tuple[BundleObject, ...]
    names: frozenset[str] = frozenset()


def place(bundle: Bundle, entry: BundleObject) -> str:
    """Return an object's path for people, the bundle's name for itself."""
    return entry.path or f"({bundle.name})"


def object_names(bundle: Bundle) -> dict[bytes, str]:
    """Return the UUIDs of a bundle's objects, each with its :func:`place`."""
    return {entry.uuid: place(bundle, entry) for entry in bundle.objects}


def dependency_text(dependency: bytes | str) -> str:
    """Return a declared dependency as text: a UUID or a path."""
    return uuid_text(dependency) if isinstance(dependency, bytes) else dependency


def lookup(bundle: Bundle, word: str) -> Lookup:
    """Return the objects of a path, else UUID, else name.

    Objects below different ones may share a name.
    """
    for by, text_of in (
        ("path", lambda entry: entry.path),
        ("path", lambda entry: place(bundle, entry)),
        ("uuid", lambda entry: uuid_text(entry.uuid)),
        ("name", lambda entry: entry.name),
    ):
        wanted = word.lower() if by == "uuid" else word
        found = tuple(entry for entry in bundle.objects if text_of(entry) == wanted)
        if found:
            return Lookup(by, found)
    return Lookup("", (), frozenset(name for entry in bundle.objects for name in (entry.path, entry.name) if name))


def find_object(bundle: Bundle, word: str, path: str = "") -> BundleObject:
    """Return the single object that :func:`lookup` finds.

    ``path`` is the bundle's, for the error.

    Raises:
        NotInBundleError: there is none, or several.
    """
    found = lookup(bundle, word)
    if not found.objects:
        error = NotInBundleError(f"no object named {word!r}", field=word, path=path)
        error.names = found.names
        raise error
    if len(found.objects) > 1:
        shown = ", ".join(place(bundle, entry) for entry in found.objects[:_SHOWN])
        more = ", …" if len(found.objects) > _SHOWN else ""
        raise NotInBundleError(f"{word!r} is ambiguous ({len(found.objects):,} matches): {shown}{more}", path=path)
    return found.objects[0]


def of_classes(bundle: Bundle, classes: Collection[str] = ()) -> Iterator[BundleObject]:
    """Yield the objects of the given classes, all where none is given.

    A class is named whole (``/Code/Game.Rendering::Material``) or by what is behind ``::``, in any case.
    """
    wanted = {name.casefold() for name in classes}
    for entry in bundle.objects:
        name = entry.class_name.casefold()
        if not wanted or name in wanted or name.rpartition("::")[2] in wanted:
            yield entry


def search(bundle: Bundle, matches: Callable[[str], object], classes: Collection[str] = ()) -> Iterator[BundleObject]:
    """Yield objects of some or all classes with a matching name."""
    for entry in of_classes(bundle, classes):
        if any(matches(text) for text in (entry.path or bundle.name, entry.name)):
            yield entry
