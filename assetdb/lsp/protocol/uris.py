"""Files as the protocol names them: ``file:///home/me/My%20Game/Assets/A.prefab``."""

from __future__ import annotations

import os
from urllib.parse import quote, unquote_to_bytes

_SCHEME = "file://"
_GIT = "git:"
_REVISION = ".git"  # suffix of some names, so that only text editors open them
_LONGEST = (
    32_767 if os.name == "nt" else 4096
)  # longest path that the system opens; searching above longer ones takes minutes
_SAFE = "/~!$&'()*+,;=@-._"


def path_of(uri: str) -> str:
    """Return the path of a ``file:`` URI, or ``""`` for any other."""
    if uri[: len(_SCHEME)].lower() != _SCHEME:
        return ""
    host, slash, rest = uri[len(_SCHEME) :].partition("/")
    path = os.fsdecode(unquote_to_bytes(slash + rest.partition("?")[0].partition("#")[0]))
    if "\0" in path or not 0 < len(path) <= _LONGEST:
        return ""
    if os.name == "nt":  # file:///c:/x is c:/x, file://host/share is //host/share
        path = f"//{host}{path}" if host else path.lstrip("/")
    return os.path.normpath(path)


def place_of(uri: str) -> str:
    """Return the path of a file or of VS Code's ``git:`` revision."""
    if uri[: len(_GIT)].lower() != _GIT:
        return path_of(uri)
    rest = uri[len(_GIT) :].partition("?")[0]
    return path_of(f"file:{rest if rest.startswith('//') else f'//{rest}'}").removesuffix(_REVISION)


def uri_of(path: str) -> str:
    """Return the URI of an absolute path."""
    raw = os.fsencode(path.replace("\\", "/") if os.name == "nt" else path)
    host = raw.startswith(b"//")
    text = quote(raw[2:] if host else raw, safe=_SAFE)
    return f"{_SCHEME}{text}" if host else f"{_SCHEME}{'' if text.startswith('/') else '/'}{text}"
