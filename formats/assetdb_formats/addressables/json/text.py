"""The JSON text of a catalog without its base64 strings.

They are 80 % of a file; parsing the rest alone takes 1.3 ms instead of 5.1 on a file of 3.7 MB.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from assetdb_formats.addressables.errors import AddressablesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Report: TypeAlias = "Callable[[AddressablesError, str], None]"

BLOBS: Final = ("KeyData", "BucketData", "EntryData", "ExtraData")
_BOM: Final = b"\xef\xbb\xbf"


def parse_object(data: bytes, report: Report) -> tuple[dict[str, Any], dict[str, bytes | memoryview]]:
    """Parse a catalog's JSON object and split off its base64 strings.

    The strings are emptied in the object and returned by field, still encoded. ``report`` is called with each fault
    that reading can continue after; a strict one raises. Raises AddressablesError for bytes that hold no JSON object.
    """
    data = data.removeprefix(_BOM)
    encoded: dict[str, bytes | memoryview] = {}
    view = memoryview(data)  # the strings are 80 % of a file and are not copied
    pieces: list[bytes] = []
    done = 0
    for found in sorted(_find_blobs(data)):
        begin = found[0] + len(found[1]) + 4
        end = data.find(b'"', begin)
        if end < 0 or begin < done or data.find(b"\\", begin, end) >= 0:
            continue
        encoded[found[1]] = view[begin:end]
        pieces.append(data[done:begin])
        done = end
    pieces.append(data[done:])
    fields = None
    with suppress(ValueError, RecursionError):
        fields = json.loads(b"".join(pieces).decode("utf-8"))
    if not isinstance(fields, dict) or any(fields.get(name) != "" for name in encoded):
        fields = _decode_slow(data, report)  # a field at another depth, twice, or bytes that are not JSON
        encoded = {}
    for blob in BLOBS:
        for name in (f"m_{blob}String", f"m_{blob[0].lower()}{blob[1:]}String"):
            value = fields.get(name)
            if name not in encoded and value is not None:
                if not isinstance(value, str):
                    report(AddressablesError("is not text", field=name), "wrong-type")
                    value = ""
                encoded[name] = value.encode("utf-8", "replace")
                fields[name] = ""
    return fields, encoded


def _find_blobs(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield base64 strings' positions and names, of 1.x or 0.x."""
    at = 0
    for blob in BLOBS:
        for name in (f"m_{blob}String", f"m_{blob[0].lower()}{blob[1:]}String"):
            wanted = b'"%s":"' % name.encode()
            found = data.find(wanted, at)
            if found < 0 and at:
                found = data.find(wanted, 0, at)
            if found >= 0:
                at = found
                yield found, name
                break


def _decode_slow(data: bytes, report: Report) -> dict[str, Any]:
    """Parse the whole text to locate its fault, ignoring trailing text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        report(AddressablesError("is not UTF-8", offset=error.start), "encoding")
        text = data.decode("utf-8", "replace")
    try:
        start = len(text) - len(text.lstrip(" \t\r\n"))
        fields, end = json.JSONDecoder().raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise AddressablesError(f"is not JSON: {error.msg}", offset=len(text[: error.pos].encode())) from None
    except RecursionError:
        raise AddressablesError("nests deeper than any catalog", offset=0) from None
    except ValueError as error:
        raise AddressablesError(f"is not JSON: {error}", offset=0) from None
    if not isinstance(fields, dict):
        raise AddressablesError("is neither a binary catalog nor a JSON object", offset=0)
    if text[end:].strip(" \t\r\n"):
        report(AddressablesError("has text after the object", offset=len(text[:end].encode())), "left-over")
    return fields
