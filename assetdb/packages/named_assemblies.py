"""Assemblies that text assets name for the scripts they refer to.

A component names the assembly of its script (``m_EditorClassIdentifier: Assembly-CSharp::Door``, Unity 6.1 and
later), and a UnityEvent the type of its target component (``m_TargetAssemblyTypeName: Door, Assembly-CSharp``).
Pure: bytes in, names out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.unity.settings.packages import read_object
from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.objects import MONO_BEHAVIOUR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DEFINITION: Final = ".asmdef"
"""The extension of the files that define assemblies."""
_DEFAULT: Final = re.compile(rb"Assembly-(?:CSharp|UnityScript|Boo)(?:-Editor)?(?:-firstpass)?")
_CLASS: Final = re.compile(
    rb"m_Script: \{fileID: -?\d{1,20}, guid: ([0-9a-f]{32}), type: \d\}\r?\n"
    rb"(?:  m_Name:[^\r\n]*\r?\n)?  m_EditorClassIdentifier: ([^\r\n:]{1,300}):"
)
_SCRIPT: Final = re.compile(rb"m_Script: \{fileID: 11500000, guid: ([0-9a-f]{32})")
_CALL: Final = re.compile(
    rb"m_Target: \{fileID: (-?\d{1,20})\}\r?\n"
    rb" *m_TargetAssemblyTypeName: [^\r\n,]{1,300}, *(?:\r?\n *)?([^\r\n,]{1,300})"
)
_LARGEST: Final = 1 << 20  # bytes of a definition


def is_default(assembly: bytes) -> bool:
    """Whether Unity makes an assembly of scripts without a definition."""
    return _DEFAULT.fullmatch(assembly) is not None


def definition_name(data: bytes) -> bytes:
    """Return the assembly name in a definition's text, or ``b""``."""
    try:
        found = read_object(data) if len(data) <= _LARGEST else None
    except (ValueError, RecursionError):
        return b""
    name = found.get("name") if isinstance(found, dict) else None
    return name.encode("utf-8", "surrogatepass") if isinstance(name, str) else b""


def named_assemblies(files: Iterable[bytes], guid: bytes) -> Iterator[bytes]:
    """Yield the assemblies that text assets name for a script's GUID."""
    for data in files:
        for match in _CLASS.finditer(data):
            if match[1] == guid:
                yield match[2].strip()
        if b"m_TargetAssemblyTypeName" not in data:
            continue
        called = {int(match[1]): match[2].strip() for match in _CALL.finditer(data)}
        for item in documents(data) if called else ():
            if item.file_id in called and item.class_id == MONO_BEHAVIOUR:
                script = _SCRIPT.search(data, item.start, item.end)
                if script is not None and script[1] == guid:
                    yield called[item.file_id]
