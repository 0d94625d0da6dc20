"""Refusals of a meta: its end, its GUID lines, the lines below.

Lines are judged in metas up to 16 KiB that have a quote or do not end as Unity's do: 347 of the 1,151 different ones of
FPSSample, 33 of the 10,371 of unitystation. Larger ones are tables of models and sprites, and are judged if they are
cut off. To judge all that have a quote would take 0.07 of the 0.95 s of processor time in which FPSSample is baked, to
judge all metas 0.5 of the 6 s of unitystation.
"""

from __future__ import annotations

from assetdb.unity.patterns import Pattern

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

UNENDED_KEY: Final = "ends in a key without a value and a line end, which Unity refuses to read"
QUOTED_GUID: Final = "has its GUID in quotes: Unity ignores the asset"
SECOND_GUID: Final = "has a second guid line: which of the two Unity takes is not known"
_KEY: Final = b"guid:"
_LINE: Final = b"\n" + _KEY
_REFERENCE: Final = b" guid:"
# In another form than Unity's: to take each reference apart took 25 of 570 ms in which FPSSample is baked.
_UNUSUAL: Final = Pattern(rb" guid:(?! [0-9a-fA-F]{32}[,}])")
_QUOTES: Final = (b'"', b"'")
_MARK: Final = b"\xef\xbb\xbf"
_LARGEST_JUDGED: Final = 16 << 10
_MINIMAL: Final = 4  # lines: version, GUID, time
_LAST_LINE: Final = Pattern(rb"  \w[^\n]*:(?: [^\n]*)?\r?\n\Z")  # of the importer, at its first level
PLAIN_TAIL: Final = b"\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n"


def meta_fault(data: bytes) -> tuple[str, int, str, str] | None:
    """Return code, line, reason and first version of a fault, or None.

    It is the refusal of the meta, or the first reference (to a material of a model, say) with a GUID that Unity cannot
    read.
    """
    refused = meta_refusal(data)
    if refused is not None:
        return "broken-asset", *refused
    if _REFERENCE not in data or _UNUSUAL.search(data) is None:
        return None
    from assetdb.unity.referring.guid_shapes import UNREADABLE, unread_guids  # noqa: PLC0415 - for no question by GUID

    unread = next(unread_guids(data), None)
    if unread is None:
        return None
    return "invalid-guid", _line_of(data, unread.offset), UNREADABLE.format(unread.text), ""


def meta_refusal(data: bytes) -> tuple[int, str, str] | None:
    """Return line, reason and first version of a refusal, or None.

    The first version of Unity that refuses a meta is ``""`` where all do.
    """
    is_plain = b"'" not in data and b'"' not in data
    if is_plain and data.endswith(PLAIN_TAIL) and not data.startswith(_KEY) and data.find(_LINE) == data.rfind(_LINE):
        return None  # nearly all metas
    first = 0 if data.startswith(_KEY) else data.find(_LINE) + 1
    if first or data.startswith(_KEY):
        value = first + len(_KEY)
        if data[value : value + 80].lstrip(b" ").startswith(_QUOTES):
            return _line_of(data, first), QUOTED_GUID, ""
        second = data.find(_LINE, value)
        if second >= 0:
            return _line_of(data, second + 1), SECOND_GUID, ""
    if data.endswith(b":"):
        return _line_of(data, len(data)), UNENDED_KEY, ""
    is_usual = data.endswith(PLAIN_TAIL) or data.count(b"\n") < _MINIMAL
    if len(data) > _LARGEST_JUDGED:
        if is_usual or _LAST_LINE.match(data, data.rfind(b"\n", 0, -1) + 1) is not None:
            return None
    elif is_usual and is_plain:
        return None
    from assetdb.unity.yaml.judging.refusals import refused_in_meta  # noqa: PLC0415 - for no question by GUID

    whole = data.removeprefix(_MARK)
    found = refused_in_meta(whole)
    if found is None:
        return None
    reason = f"{found.reason}, which Unity refuses from {found.since} on" if found.since else found.reason
    return _line_of(whole, found.offset), reason, found.since


def _line_of(data: bytes, place: int) -> int:
    return data.count(b"\n", 0, place) + 1
