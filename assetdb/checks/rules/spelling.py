"""Paths in another Unicode normal form than the file's.

``é`` is one character (NFC) or two (NFD). Archives and old file systems of macOS write the second, everything else the
first; Unity on Linux and Windows, git and servers take them for two names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from unicodedata import normalize
from urllib.parse import unquote_to_bytes

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import UNICODE_MISMATCH
from assetdb.unity.settings.build_settings import PATH as BUILD_SETTINGS
from assetdb.unity.settings.build_settings import build_scenes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_URL: Final = re.compile(
    rb"project://database/([^\"'?#<>\s]{1,1000})\?[^\"'<>\s]{0,200}?guid=([0-9a-fA-F]{32})", re.IGNORECASE
)
_DOCUMENTS: Final = (".uxml", ".uss", ".tss")


def find_spellings(project: View) -> Iterator[Finding]:
    """Yield paths beside a GUID in another normal form than the asset's."""
    yield from _of_file(project, BUILD_SETTINGS, "")
    for extension in _DOCUMENTS:
        for asset in project.database.ending(extension):
            yield from _of_file(project, asset.path, asset.guid)


def _of_file(project: View, path: str, guid: str) -> Iterator[Finding]:
    data = project.read(path) or b""
    for written, target, line in written_paths(data, is_document=bool(guid)):
        asset = project.database.by_guid(target)
        if asset is not None and differ(written, asset.path):
            said = f"names {asset.path} in another Unicode normal form than the file has"
            yield Finding.of(UNICODE_MISMATCH, path, said, line, asset=guid, target=target)


def written_paths(data: bytes, *, is_document: bool) -> list[tuple[str, str, int]]:
    """Return the non-ASCII paths in a file: path, GUID, line."""
    if not is_document:
        scenes = build_scenes(data)
        return [(scene.path, scene.guid, scene.line) for scene in scenes if scene.guid and not scene.path.isascii()]
    found = []
    for match in _URL.finditer(data):
        raw = unquote_to_bytes(match[1])
        if not raw.isascii():
            line = data.count(b"\n", 0, match.start()) + 1
            found.append((raw.decode("utf-8", "replace"), match[2].decode().lower(), line))
    return found


def differ(one: str, other: str) -> bool:
    """Whether two texts differ only in their normal form."""
    return one != other and normalize("NFC", one) == normalize("NFC", other)
