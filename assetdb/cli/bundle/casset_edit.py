"""``assetdb bundle edit``: names, references and values of a ``.casset`` bundle; every other byte stays as it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.cli.terminal import fail, not_found, print_json, printable
from assetdb.errors import UsageError
from formats.atomic import rewrite_file
from formats.casset.edit import field_at, parse_path, rename, retarget, set_value, value_at
from formats.casset.errors import CassetError, EditError, NotInBundleError
from formats.casset.files import load
from formats.casset.model import FieldType
from formats.casset.objects import find_object
from formats.casset.read import read_bundle
from formats.casset.targets import find_target
from formats.casset.typed import typed_value
from formats.casset.verify import same_bytes
from formats.casset.write import encode_bundle, encode_pieces
from formats.files import open_file, read_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formats.casset.model import Bundle, Field

_LARGEST_BLOB: Final = 1 << 30


class Edits(NamedTuple):
    """What a command line changes: (object, name), (from, to), (object, field, value)."""

    renames: Sequence[tuple[str, str]]
    retargets: Sequence[tuple[str, str]]
    values: Sequence[tuple[str, str, str]]


def edit_bundle(path: str, edits: Edits, *, output: str | None, in_place: bool, as_text: bool) -> int:
    """Make the changes of the command line and write the result, whole or not at all."""
    if in_place == (output is not None):
        return fail("bundle edit: say where to write: -o FILE or --in-place")
    if not any(edits):
        return fail("bundle edit: say what to change: --rename, --retarget or --set")
    bundle = load(path)
    with open_file(path) as stream:
        if not same_bytes(stream, encode_pieces(bundle)):
            return fail(f"{path}: does not write back to the same bytes, so it is not edited")
    said: list[str] = []
    try:
        edited = _changed(bundle, path, edits, said)
        data = encode_bundle(edited)
    except NotInBundleError as error:
        return not_found(f"{error.path or path}: {error.what}", error.field, error.names)
    except EditError as error:
        raise UsageError(f"{path}: {error}") from None
    except CassetError as error:
        raise error if error.path else error.at(path) from None
    if len(read_bundle(data).problems) > len(bundle.problems):  # beyond what types forbid
        return fail(f"{path}: what would be written does not read back; nothing is written")
    written = output or path
    size = rewrite_file(written, [data])
    if as_text:
        print("\n".join(map(printable, (*said, f"{written}: {size:,} bytes"))))
    else:
        print_json({"path": path, "written": written, "size": size, "changes": said})
    return 0


def _changed(bundle: Bundle, path: str, edits: Edits, said: list[str]) -> Bundle:
    for wanted, name in edits.renames:
        bundle = rename(bundle, find_object(bundle, wanted, path).uuid, name)
        said.append(f"{wanted}: is now {name}")
    for old, new in edits.retargets:
        source = find_target(bundle, old, path)
        target = None if new == "none" else find_target(bundle, new, path)
        try:
            bundle = retarget(bundle, source, target)
        except NotInBundleError:
            raise NotInBundleError(f"nothing refers to {old}", path=path) from None
        said.append(f"{old}: references lead to {new}")
    for wanted, place, text in edits.values:
        entry = find_object(bundle, wanted, path)
        try:
            steps = parse_path(place)
            field, current = field_at(entry, steps), value_at(entry, steps)
        except NotInBundleError:
            raise NotInBundleError(f"{wanted} has no value {place!r}", path=path) from None
        bundle = set_value(bundle, entry.uuid, place, typed_value(field, _plain(field, text), current))
        said.append(f"{wanted}: {place} is now {text}")
    return bundle


def _plain(field: Field, text: str) -> object:
    """Return a value of the command line as plain data: JSON, text as it stands, the bytes of ``@FILE``."""
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
