"""A page as one file: markup, style, script and facts.

The page loads nothing. Its policy admits the one style and the one script by their hashes, and the facts are base64 of
what zlib compressed, so that no name can end an element.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.report.facts import Facts

_MODULES: Final = (
    *(
        "dom",
        "facts",
        "search",
        "table",
        "tree",
        "history",
        "asset",
        "lists",
        "treemap",
        "sizes",
        "change",
        "build",
        "main",
    ),
)
"""Each imports those before it alone."""

_IMPORT: Final = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", re.MULTILINE)
_STYLE: Final = "/*STYLE*/"
_SCRIPT: Final = "/*SCRIPT*/"
_POLICY: Final = "POLICY"
_FACTS: Final = "FACTS"
_START: Final = "START"


def pack(facts: Facts) -> str:
    """Return facts as a page has them."""
    return b64encode(zlib.compress(json.dumps(facts, separators=(",", ":")).encode("ascii"))).decode("ascii")


def page_pieces(packed: str, start: str = "") -> Iterator[bytes]:
    """Yield the bytes of a page.

    Args:
        packed: its facts (:func:`pack`).
        start: the asset that is shown first, by GUID, if any.
    """
    style, script = _text("page.css"), script_text()
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    page = (
        _text("page.html")
        .replace(_START, start, 1)
        .replace(_POLICY, policy, 1)
        .replace(_STYLE, style, 1)
        .replace(_SCRIPT, script, 1)
    )
    before, _, after = page.partition(_FACTS)
    yield before.encode()
    yield packed.encode("ascii")
    yield after.encode()


def script_text() -> str:
    """Return the page's modules as one script.

    A file that a browser opens from a disk can import no other.
    """
    return "".join(_EXPORT.sub("", _IMPORT.sub("", _text(f"{name}.js"))) for name in _MODULES)


def _text(name: str) -> str:
    return files("assetdb.report").joinpath("web", name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
