"""Edits in user terms: objects by name, values as text.

Each names its object; a line describes what it changed.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from assetdb_formats.casset.editing.edit import field_at, parse_path, rename, retarget, set_value, value_at
from assetdb_formats.casset.editing.typed import typed_value
from assetdb_formats.casset.errors import CassetError, EditError, NotInBundleError
from assetdb_formats.casset.files import load
from assetdb_formats.casset.identity import SUFFIX, uuid_from_text
from assetdb_formats.casset.model import FieldType, Reference
from assetdb_formats.casset.queries.objects import find_object
from assetdb_formats.files import read_file

if TYPE_CHECKING:
    from assetdb_formats.casset.model import Bundle, Field

_LARGEST_BLOB: Final = 1 << 30
_IN_FILE: Final = re.compile(rf"({re.escape(SUFFIX)})(?:#|\Z)", re.IGNORECASE)


class Rename(NamedTuple):
    """Give an object another name."""

    object: str
    name: str


class Retarget(NamedTuple):
    """A change of all references to one object.

    They lead to another object (``UUID@BUNDLE-UUID``, ``FILE[#OBJECT]``, or one of the bundle), or to ``none``.
    """

    old: str
    new: str


class SetValue(NamedTuple):
    """A change of the value at a path such as ``tint[1]``.

    The new value is JSON, plain text, or ``@FILE`` for the bytes of a blob.
    """

    object: str
    field: str
    text: str


Change: TypeAlias = Rename | Retarget | SetValue


class Changed(NamedTuple):
    """A bundle after some changes, and a line about each."""

    bundle: Bundle
    said: tuple[str, ...]


def change_bundle(bundle: Bundle, changes: list[Change], path: str = "") -> Changed:
    """Return a bundle with the changes made in order.

    ``path`` is the bundle's, for errors.

    Raises:
        NotInBundleError: an object or value that a change names does not exist.
        EditError: a value does not fit its field.
        CassetError: a file that a reference is to lead into is damaged.
        OSError: that file or a blob's cannot be read.
    """
    said = []
    for change in changes:
        bundle, line = _change(bundle, change, path)
        said.append(line)
    return Changed(bundle, tuple(said))


def _change(bundle: Bundle, change: Change, path: str) -> tuple[Bundle, str]:
    if isinstance(change, Rename):
        uuid = find_object(bundle, change.object, path).uuid
        return rename(bundle, uuid, change.name), f"{change.object}: is now {change.name}"
    if isinstance(change, Retarget):
        source = _find_target(bundle, change.old, path)
        target = None if change.new == "none" else _find_target(bundle, change.new, path)
        try:
            return retarget(bundle, source, target), f"{change.old}: references lead to {change.new}"
        except NotInBundleError:
            raise NotInBundleError(f"nothing refers to {change.old}", path=path) from None
    entry = find_object(bundle, change.object, path)
    try:
        steps = parse_path(change.field)
        field, current = field_at(entry, steps), value_at(entry, steps)
    except NotInBundleError:
        raise NotInBundleError(f"{change.object} has no value {change.field!r}", path=path) from None
    value = typed_value(field, _plain(field, change.text), current)
    return set_value(bundle, entry.uuid, change.field, value), f"{change.object}: {change.field} is now {change.text}"


def _find_target(bundle: Bundle, text: str, path: str = "") -> Reference:
    """Return the object that a text names.

    It is ``UUID@BUNDLE-UUID``, ``FILE[#OBJECT]``, or an object of the bundle itself. A file without an object means its
    primary one. ``path`` is the bundle's, for errors.

    Raises:
        NotInBundleError: the bundle, or the file, has no such object.
        CassetError: the file is damaged.
        OSError: it cannot be opened.
    """
    first, at, second = text.partition("@")
    if at:
        try:
            return Reference(uuid_from_text(first), uuid_from_text(second))
        except CassetError:
            pass  # a name with an @
    suffix = _IN_FILE.search(text)
    if suffix is not None:
        place, inner = text[: suffix.end(1)], text[suffix.end() :]
        other = load(place)
        entry = find_object(other, inner, place) if inner else other.primary
        if entry is None:
            raise NotInBundleError("the bundle has no object", path=place)
        return Reference(entry.uuid, other.uuid)
    return Reference(find_object(bundle, text, path).uuid, bundle.uuid)


def _plain(field: Field, text: str) -> object:
    if field.type == FieldType.BLOB and text.startswith("@"):
        return read_file(text[1:], largest=_LARGEST_BLOB)
    if field.type == FieldType.STRING and not text.startswith('"'):
        return text
    if field.type in (FieldType.UUID, FieldType.OPAQUE) and not text.startswith('"'):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise EditError(f"{field.name}: {text[:60]!r} is not JSON") from None
