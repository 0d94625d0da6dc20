"""Edits in user terms: objects by name, values as text.

Each names its object and says what it did.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from assetdb_formats.casset.editing.edit import field_at, parse_path, rename, retarget, set_value, value_at
from assetdb_formats.casset.editing.targets import find_target
from assetdb_formats.casset.editing.typed import typed_value
from assetdb_formats.casset.errors import EditError, NotInBundleError
from assetdb_formats.casset.model import FieldType
from assetdb_formats.casset.queries.objects import find_object
from assetdb_formats.files import read_file

if TYPE_CHECKING:
    from assetdb_formats.casset.model import Bundle, Field

_LARGEST_BLOB: Final = 1 << 30


class Rename(NamedTuple):
    """Give an object another name."""

    object: str
    name: str


class Retarget(NamedTuple):
    """Let references to one object (as ``targets.find_target`` finds it) lead to another, or to ``none``."""

    old: str
    new: str


class SetValue(NamedTuple):
    """Change the value at a path such as ``tint[1]``: JSON, text as it stands, or ``@FILE`` for the bytes of a blob."""

    object: str
    field: str
    text: str


Change: TypeAlias = Rename | Retarget | SetValue


class Changed(NamedTuple):
    """A bundle after some changes, and what was done, a line for each."""

    bundle: Bundle
    said: tuple[str, ...]


def change_bundle(bundle: Bundle, changes: list[Change], path: str = "") -> Changed:
    """Return a bundle with the changes made, in their order; ``path`` is the bundle's, for errors.

    Raises:
        NotInBundleError: what a change names is not there.
        EditError: a value does not fit its field.
        CassetError: a file that a reference is to lead into is damaged.
        OSError: it, or that of a blob, cannot be read.
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
        source = find_target(bundle, change.old, path)
        target = None if change.new == "none" else find_target(bundle, change.new, path)
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
