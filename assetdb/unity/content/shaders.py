"""Shaders: their names, and the files and shaders that they need."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import Any, Final, NamedTuple

SHADER: Final = ".shader"
# Formatters of C-like code take out the space: ``Shader"Custom/Water"``.
_NAME: Final = re.compile(rb'^\s*Shader\s*"([^"\n]+)"', re.MULTILINE)
_COMMENT: Final = re.compile(rb"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_NEED: Final = re.compile(
    rb'^[ \t]*(?:(#[ \t]*include(?:_with_pragmas)?|Fallback|UsePass)[ \t]*"([^"\n]+)"'
    rb"|#[ \t]*(if(?:n?def)?|el(?:se|if)|endif)\b)",
    re.MULTILINE | re.IGNORECASE,
)
_END: Final = b"endif"
_BEGINNINGS: Final = (b"if", b"ifdef", b"ifndef")
_GUARD: Final = re.compile(rb"#[ \t]*ifndef[ \t]+(\w{1,200})\s+#[ \t]*define[ \t]+\1\b")


class Need(NamedTuple):
    """A name that a shader needs.

    Attributes:
        kind: ``include``, ``fallback`` or ``usepass``.
        name: of the file, the shader, or a shader and its pass.
        line: 1-based.
        is_certain: whether no ``#if`` is around it, which may leave it out; a guard (``#ifndef``, then ``#define``) is
            around most files.
    """

    kind: str
    name: str
    line: int
    is_certain: bool = True


class Shader(NamedTuple):
    """A shader; without a name a file that shaders include."""

    name: str
    needs: tuple[Need, ...]


def read_shader(data: bytes) -> Shader:
    """Return the shader in the bytes of any text."""
    text = _COMMENT.sub(_blank, data.removeprefix(BOM_UTF8))
    name = _NAME.search(text)
    needs = []
    line, before = 1, 0
    branches: list[bool] = []  # whether each may leave out its lines
    doubts = 0  # of them
    for match in _NEED.finditer(text):
        if match[3]:
            word = match[3].lower()
            if word not in _BEGINNINGS and branches:  # the branch before ends
                doubts -= branches.pop()
            if word != _END:
                branches.append(_GUARD.match(text, text.find(b"#", match.start())) is None)
                doubts += branches[-1]
            continue
        line, before = line + text.count(b"\n", before, match.start(2)), match.start(2)
        kind = match[1].lstrip(b"# \t").split(b"_")[0].decode().lower()
        needs.append(Need(kind, _text(match[2]), line, is_certain=not doubts))
    return Shader(_text(name[1]) if name else "", tuple(needs))


def shader_of(rows: list[Any]) -> Shader:
    """Return a shader of its JSON.

    Raises:
        ValueError, TypeError: it is of another form.
    """
    name, needs = rows
    return Shader(name, tuple(Need(*need) for need in needs))


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def _blank(match: re.Match[bytes]) -> bytes:
    return b"\n" * match[0].count(b"\n") + b" "
