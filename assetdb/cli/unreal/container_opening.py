"""Open containers for the commands: their keys, the paths in them, and going on after one that cannot be read."""

from __future__ import annotations

import base64
import binascii
import contextlib
import sys
from typing import TYPE_CHECKING, Final

from assetdb.cli.terminal import printable
from assetdb.errors import UsageError
from formats.binary import FormatError
from formats.files import read_file
from formats.unreal.errors import MissingKeyError
from formats.unreal.iostore.container import OpenContainer, open_container
from formats.unreal.pak import OpenPak, open_pak

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEY_SIZE: Final = 32
_LARGEST_KEY: Final = 1 << 16  # bytes of a file with one


def parse_key(text: str | None) -> bytes | None:
    """Return the 32 bytes of a key given in hexadecimal, in base64, as 32 characters, or as @FILE with any of these."""
    if text is None:
        return None
    word = text
    if text.startswith("@"):
        word = read_file(text[1:], largest=_LARGEST_KEY).decode("utf-8", "replace").strip()
    with contextlib.suppress(ValueError):
        key = bytes.fromhex(word.removeprefix("0x"))
        if len(key) == _KEY_SIZE:
            return key
    with contextlib.suppress(binascii.Error, ValueError):
        key = base64.b64decode(word, validate=True)
        if len(key) == _KEY_SIZE:
            return key
    if len(word.encode()) == _KEY_SIZE:
        return word.encode()
    raise UsageError("--key is none of: 64 hexadecimal digits, base64 of 32 bytes, @FILE with one of these")


def open_one(path: str, key: bytes | None) -> OpenContainer | OpenPak:
    """Open a .utoc or a .pak, to be read through once: one whose parts all lie in each other is an OverlapError."""
    opened = open_pak(path, key=key) if path.lower().endswith(".pak") else open_container(path, key=key)
    opened.limit_reading()
    return opened


def opened_containers(paths: list[str], key: bytes | None, failed: list[str]) -> Iterator[OpenContainer | OpenPak]:
    """Open each container in turn; of several, those that cannot be opened are said and left out."""
    for path in paths:
        try:
            opened = open_one(path, key)
        except FormatError as error:
            print(f"assetdb: error: {printable(str(error if error.path else error.at(path)))}", file=sys.stderr)
            failed.append(path)
            continue
        except OSError as error:  # a pipe, a permission that is not there
            if len(paths) == 1:
                raise
            print(f"assetdb: error: {printable(f'{path}: {error.strerror or error}')}", file=sys.stderr)
            failed.append(path)
            continue
        with opened:
            yield opened


def within(error: FormatError, path: str) -> str:
    """Return the error's text for where ``path`` is named already; another file that it is in stays named."""
    return str(error.at("") if error.path == path else error)


def paths_of(container: OpenContainer) -> tuple[list[str | None], str]:
    """Return the paths and the mount point; without the key of an encrypted index, chunks have their ids alone."""
    try:
        index = container.directory_index()
    except MissingKeyError as error:
        print(f"assetdb: {printable(container.path)}: {printable(within(error, container.path))}", file=sys.stderr)
        return [None] * len(container.toc), ""
    except FormatError as error:
        raise error.at(container.path) from None
    if index is None:
        return [None] * len(container.toc), ""
    return index.by_chunk(len(container.toc)), index.mount_point
