"""Facts of a text asset for a bake: content, class, sub-assets.

A file is a sequence of YAML documents (``assetdb.unity.yaml.documents``). Few are read: the first one of a scene, and
the named ones of a prefab, which patterns find at up to 2 GB/s.
"""

from __future__ import annotations

from assetdb.unity.kinds import DOCUMENT_HEAD, TEXT_HEAD_BYTES, UNNAMED, UNNAMED_IN_PREFABS, kind_without_documents
from assetdb.unity.patterns import Pattern
from assetdb.unity.yaml.documents import NEXT_DOCUMENT
from assetdb.unity.yaml.objects import MONO_BEHAVIOUR
from assetdb.unity.yaml.scalars import scalar_at

TYPE_CHECKING = False

if TYPE_CHECKING:
    import re
    from typing import Final, TypeAlias

    from assetdb.unity.facts import SubAsset

_CONFLICT: Final = b"<<<<<<<"  # or one more, where a merge was merged again

_START: Final = Pattern(
    rb"%YAML 1\.1\n%TAG !u! tag:unity3d\.com,2011:\n--- !u!(\d{1,10}) &(-?\d{1,19})(?: stripped)?(?=\n)"
)
# Begins with the exclamation mark, which is rare elsewhere: a search for one byte runs at the speed of memory, a search
# for several at half of that speed or less (0.10 s instead of 0.16 for the 168 MB of unity-explorer).
_HEADER: Final = Pattern(rb"!(?<=\n--- !)u!(\d{1,10}) &(-?\d{1,19})( stripped)?[^\n]*")
_PREFAB_HEADER: Final = Pattern(
    rb"!(?<=\n--- !)u!(?!(?:%s) )(\d{1,10}) &(-?\d{1,19})( stripped)?[^\n]*"
    % b"|".join(b"%d" % c for c in UNNAMED_IN_PREFABS)
)
_NAME_KEY: Final = b"\n  m_Name:"
_NAME: Final = Pattern(rb"\n  m_Name:[ \t]*(?=[^\s])")
_PLAIN_NAME: Final = Pattern(rb"([A-Za-z0-9_(][A-Za-z0-9_ ().,/+#-]*)(?=\n(?!   |[\n\r\t])|$)")
_SCRIPT: Final = Pattern(rb"\n  m_Script:\s*\{fileID:\s*-?\d+,\s*guid:\s*([0-9a-fA-F]{32})(?=[,}\s])")
_SCRIPT_REACH: Final = 1024  # bytes within which nearly every first document has its script
_MAX_ID: Final = 2**63


# The facts of a text asset; a plain tuple, since one is made for each of 33,000 files.
#   kind: "yaml", or instead of it "lfs" (a Git LFS pointer), "binary", "empty" or "text"
#   class: of the main document, 0 if there is none
#   script: GUID of the main document's m_Script if it is a MonoBehaviour, else b""
#   sub-assets: the named documents except the main one, without GameObject, Transform and RectTransform
TextAsset: TypeAlias = "tuple[str, int, bytes, list[SubAsset]]"


def read_text_asset(data: bytes, *, rows: bool, main: tuple[int, ...] = (), prefab: bool = False) -> TextAsset:
    """Read one file; every input has a result.

    Args:
        data: the whole file.
        rows: whether its other documents are sub-assets (they are not in scenes and materials).
        main: fileIDs that the main object may have, the likeliest first; without such a document it is the first.
            URP writes its ``AssetVersion`` before the Material, controllers may begin with a blend tree.
        prefab: whether to leave out MonoBehaviours, which are components in prefabs and sub-assets elsewhere.
    """
    header = _START.match(data)
    if header is None:
        if data.find(b"\r", 0, TEXT_HEAD_BYTES) >= 0:
            data = data.replace(b"\r\n", b"\n")
        if data.startswith(DOCUMENT_HEAD):  # a hand-written file without the %YAML and %TAG lines
            data = b"\n" + data
        header = _HEADER.search(data)
        if header is None:
            return kind_without_documents(data), 0, b"", []
    first = header
    if main and int(header[2]) != main[0]:
        header = _main_header(data, header, main)
    body = header.end()
    class_id = int(header[1])
    script = _script(data, body) if class_id == MONO_BEHAVIOUR else b""
    if not rows:
        return "yaml", class_id, script, []  # the rest of a scene, up to 30 MB, need not be searched
    if header is first:  # in a prefab the main object is a GameObject, which has no row
        return "yaml", class_id, script, _sub_asset_rows(data, 0 if prefab else body, prefab=prefab)
    main_row = int(header[2]), class_id
    return "yaml", class_id, script, [row for row in _sub_asset_rows(data, 0, prefab=prefab) if row[:2] != main_row]


def conflict_line(data: bytes) -> int:
    """Return the line of an unresolved merge, or 0."""
    found = data.find(b"<")
    while found >= 0:
        found = data.find(_CONFLICT, found)
        if found < 0:
            return 0
        if (not found or data[found - 1] == 0x0A) and data[found : found + 9].lstrip(b"<")[:1] == b" ":
            return data.count(b"\n", 0, found) + 1
        found = data.find(b"\n", found)
    return 0


def _main_header(data: bytes, first: re.Match[bytes], main: tuple[int, ...]) -> re.Match[bytes]:
    """Return the header of the main document."""
    for file_id in main:
        if int(first[2]) == file_id:
            return first
        anchor = b" &%d" % file_id
        found = data.find(anchor)
        while found >= 0:
            start = data.rfind(b"\n", 0, found)
            header = _HEADER.match(data, start + 5) if start >= 0 else None
            if header and header.end(2) == found + len(anchor):
                return header
            found = data.find(anchor, found + len(anchor))
    return first


def _script(data: bytes, body: int) -> bytes:
    """Return the GUID of a document's ``m_Script``, or ``b""``."""
    found = _SCRIPT.search(data, body, body + _SCRIPT_REACH)
    if found is None or data.find(NEXT_DOCUMENT, body, found.start()) >= 0:
        end = data.find(NEXT_DOCUMENT, body)
        found = _SCRIPT.search(data, body, end if end >= 0 else len(data))
    return found[1].lower() if found else b""


def _sub_asset_rows(data: bytes, start: int, *, prefab: bool) -> list[SubAsset]:
    rows: list[SubAsset] = []
    first_mark = data.find(b"!", start)
    if first_mark < 0:  # curves of 93 MB in unity-explorer, 28,000 ScriptableObjects in unitystation
        return rows
    for header in (_PREFAB_HEADER if prefab else _HEADER).finditer(data, first_mark):
        class_id = int(header[1])
        file_id = int(header[2])
        if class_id in UNNAMED or (prefab and class_id == MONO_BEHAVIOUR):
            continue
        if class_id >= 2**32 or not -_MAX_ID <= file_id < _MAX_ID:
            continue
        end = data.find(NEXT_DOCUMENT, header.end())
        name = name_of_document(data, header.end(), end if end >= 0 else len(data))
        if name:
            rows.append((file_id, class_id, name))
    return rows


def name_of_document(data: bytes, start: int, end: int) -> bytes:
    """Return a document's ``m_Name`` in UTF-8, or ``b""``."""
    key = data.find(_NAME_KEY, start, end)  # a tenth of what a search for the pattern takes
    found = _NAME.search(data, key, end) if key >= 0 else None
    if found is None:
        return b""
    plain = _PLAIN_NAME.match(data, found.end(), end)
    return plain[1].rstrip() if plain else scalar_at(data[found.end() : end], 0, 2).encode()
