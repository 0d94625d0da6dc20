"""``assetdb bundle edit``: names, references and values of a ``.casset`` bundle; every other byte stays as it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from assetdb.cli.bundle.casset import find_object, same_bytes
from assetdb.cli.terminal import fail, print_json, printable
from assetdb.errors import UsageError
from formats.atomic import rewrite_file
from formats.binary import FormatError
from formats.casset.edit import field_at, parse_path, rename, retarget, set_value, value_at
from formats.casset.files import load
from formats.casset.identity import SUFFIX, uuid_from_text
from formats.casset.model import FieldType, Reference
from formats.casset.read import read_bundle
from formats.casset.typed import typed
from formats.casset.write import encode_bundle, encode_pieces
from formats.files import read_file

if TYPE_CHECKING:
    import argparse

    from formats.casset.model import Bundle, Field

_LARGEST_BLOB: Final = 1 << 30


class _NotThereError(Exception):
    """What an option names is not there; it has been said."""


def edit_bundle(path: str, arguments: argparse.Namespace) -> int:
    """Make the changes of the command line and write the result, whole or not at all."""
    if arguments.in_place == (arguments.output is not None):
        return fail("bundle edit: say where to write: -o FILE or --in-place")
    if not (arguments.rename or arguments.retarget or arguments.set):
        return fail("bundle edit: say what to change: --rename, --retarget or --set")
    bundle = load(path)
    if not same_bytes(path, encode_pieces(bundle)):
        return fail(printable(f"{path}: does not write back to the same bytes, so it is not edited"))
    said: list[str] = []
    try:
        edited = _changed(bundle, path, arguments, said)
        data = encode_bundle(edited)
    except _NotThereError:
        return 1
    except FormatError as error:
        raise error if error.path else error.at(path) from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
    if len(read_bundle(data).problems) > len(bundle.problems):  # beyond what types forbid
        return fail(printable(f"{path}: what would be written does not read back; nothing is written"))
    output: str = path if arguments.in_place else arguments.output
    size = rewrite_file(output, [data])
    if arguments.json:
        print_json({"path": path, "written": output, "size": size, "changes": said})
    else:
        print("\n".join(map(printable, (*said, f"{output}: {size:,} bytes"))))
    return 0


def _changed(bundle: Bundle, path: str, arguments: argparse.Namespace, said: list[str]) -> Bundle:
    for wanted, name in arguments.rename:
        uuid = _uuid(bundle, wanted, path)
        bundle = rename(bundle, uuid, name)
        said.append(f"{wanted}: is now {name}")
    for old, new in arguments.retarget:
        source = _target(bundle, old, path)
        target = None if new == "none" else _target(bundle, new, path)
        try:
            bundle = retarget(bundle, source, target)
        except KeyError:
            fail(printable(f"{path}: nothing refers to {old}"))
            raise _NotThereError from None
        said.append(f"{old}: references lead to {new}")
    for wanted, place, text in arguments.set:
        uuid = _uuid(bundle, wanted, path)
        entry = next(entry for entry in bundle.objects if entry.uuid == uuid)
        try:
            steps = parse_path(place)
            field, current = field_at(entry, steps), value_at(entry, steps)
        except KeyError:
            fail(printable(f"{path}: {wanted} has no value {place!r}"))
            raise _NotThereError from None
        bundle = set_value(bundle, uuid, place, typed(field, _plain(field, text), current))
        said.append(f"{wanted}: {place} is now {text}")
    return bundle


def _uuid(bundle: Bundle, wanted: str, path: str) -> bytes:
    entry = find_object(bundle, wanted, path)
    if entry is None:
        raise _NotThereError
    return entry.uuid


def _target(bundle: Bundle, text: str, path: str) -> Reference:
    """Return the object that an option names: ``UUID@BUNDLE-UUID``, ``FILE[#OBJECT]``, or one of this bundle."""
    first, at, second = text.partition("@")
    if at:
        try:
            return Reference(uuid_from_text(first), uuid_from_text(second))
        except ValueError:
            pass  # a name with an @
    file, _, inner = text.partition(f"{SUFFIX}#") if f"{SUFFIX}#" in text else (text.removesuffix(SUFFIX), "", "")
    if text.endswith(SUFFIX) or f"{SUFFIX}#" in text:
        place = file + SUFFIX
        other = load(place)
        entry = find_object(other, inner, place) if inner else other.primary
        if entry is None:
            raise _NotThereError
        return Reference(entry.uuid, other.uuid)
    return Reference(_uuid(bundle, text, path), bundle.uuid)


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
        raise ValueError(f"{field.name}: {text[:60]!r} is not JSON") from None
