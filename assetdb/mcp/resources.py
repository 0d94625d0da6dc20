"""Resources: texts that a client reads by their address."""

from __future__ import annotations

from typing import Any

from assetdb.diagnostics.codes import CODES
from assetdb.mcp.declarations import DIAGNOSTICS, PLAIN_TEXT
from assetdb.mcp.rendering import rule_lines


class NoResourceError(Exception):
    """An address that names no resource."""


def read_resource(uri: str) -> dict[str, Any]:
    """Return the content of a resource; raise NoResourceError without one."""
    code = uri.removeprefix(DIAGNOSTICS)
    if code == uri or code not in CODES:
        raise NoResourceError(f"there is no resource {uri[:200]!r}; {DIAGNOSTICS}CODE has a code of check")
    return {"contents": [{"uri": uri, "mimeType": PLAIN_TEXT, "text": "\n".join(rule_lines(code))}]}
