"""GUIDs in references as they are written, of any shape.

Unity reads 32 hexadecimal digits without quotes. Of anything else it logs "Could not extract GUID", and the reference
is lost; an empty GUID and one of zeros are no asset, whatever the fileID.
"""

from __future__ import annotations

from assetdb.unity.kinds import URLS, kind_of
from assetdb.unity.patterns import Pattern
from assetdb.unity.yaml.objects import NO_GUID, is_guid
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

_FLOW: Final = Pattern(rb"\{(?=[^{}]{0,200}[\s,]guid:)[^{}]{0,400}\}")
_KEYS: Final = frozenset((b"fileID", b"guid", b"type"))
_NUMBER: Final = Pattern(rb"-?\d{1,19}")
# As in assetdb.unity.referring.other_forms, with any text for the GUID.
_URL: Final = Pattern(rb"[?;&]fileID=(-?\d{1,19})&(?:amp;)?guid=([^&\s\"'#()<>]{0,200})")
_JSON: Final = Pattern(
    rb"fileID\\{0,31}\"\s{0,9}:\s{0,9}(-?\d{1,19})\s{0,9},(?:\s|\\{1,31}[nrt]){0,99}"
    rb"\\{0,31}\"guid\\{0,31}\"\s{0,9}:\s{0,9}\\{0,31}\"([^\"\\\n]{0,200})"
)
_LONGEST: Final = 80
UNREADABLE: Final = "Unity cannot read the GUID {}: it is not 32 hexadecimal digits"


class UnreadGuid(NamedTuple):
    """A reference with a GUID that Unity cannot read.

    Attributes:
        offset: of the GUID's first byte.
        file_id: of the reference.
        text: the GUID, shortened if it is long.
    """

    offset: int
    file_id: int
    text: str


def written_guid(text: str, *, quoted: bool = False) -> str:
    """Return a reference's GUID: digits in lower case, or the text itself."""
    if quoted:
        return repr(text)
    return text.lower() if is_guid(text) else text or NO_GUID


def unread_guids(data: bytes) -> Iterator[UnreadGuid]:
    """Yield references with GUIDs that Unity cannot read."""
    for match in _FLOW.finditer(data):
        start = match.start() + 1
        fields: dict[bytes, tuple[bytes, int]] = {}
        for pair in match[0][1:-1].split(b","):
            key, _, value = pair.partition(b":")
            place = start + len(key) + 1 + len(value) - len(value.lstrip())
            fields[key.strip()] = value.strip(), place
            start += len(pair) + 1
        digits = fields.get(b"fileID", (b"", 0))[0]
        if b"guid" not in fields or not fields.keys() <= _KEYS or not _NUMBER.fullmatch(digits):
            continue
        written, place = fields[b"guid"]
        text = written.decode("utf-8", "replace")
        if digits != b"0" and text and not is_guid(text):
            yield UnreadGuid(place, int(digits), _shortened(text))


def unread_in_json_and_urls(data: bytes, extension: str) -> Iterator[UnreadGuid]:
    """Yield unread GUIDs of graphs, visual effects, documents and style sheets.

    Args:
        data: the file.
        extension: without the dot, in lower case.
    """
    for match in (_URL if kind_of(extension).content == URLS else _JSON).finditer(data):
        text = match[2].decode("utf-8", "replace")
        if int(match[1]) and text and not is_guid(text):
            yield UnreadGuid(match.start(2), int(match[1]), _shortened(text))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}\u2026"
