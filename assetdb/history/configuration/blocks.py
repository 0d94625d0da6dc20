"""Blocks of our lines in foreign files, between two comments; pure."""

from __future__ import annotations

from typing import Final

_BEGIN: Final = b"# >>> assetdb git-setup"
_END: Final = b"# <<< assetdb git-setup"
_NEW: Final = b" (made this file)"
_NO_LINE_END: Final = b" (the line above had no end)"


def with_block(data: bytes | None, lines: list[bytes]) -> bytes:
    """Return a file, None if absent, with our lines in their place."""
    if data is not None and _BEGIN in data:
        kept = without_block(data)
        if not lines:
            return kept or b""
        start, end = _bounds(data)
        line_end = _line_end(data)
        head = _head(data, start)
        behind = data[_last(data, end) :] or _END + line_end  # or what people add behind it would go with it
        return data[:start] + head + line_end + b"".join(line + line_end for line in lines) + behind
    before = data or b""
    line_end = _line_end(before)
    mark = _BEGIN
    if data is None:
        mark += _NEW
    elif before and not before.endswith(b"\n"):
        mark += _NO_LINE_END
        before += line_end
    return before + b"".join(line + line_end for line in (mark, *lines, _END))


def without_block(data: bytes) -> bytes | None:
    """Return a file without our lines; None if created for these alone."""
    if _BEGIN not in data:
        return data
    start, end = _bounds(data)
    head = _head(data, start)
    before, behind = data[:start], data[end:]
    if head.endswith(_NO_LINE_END) and not behind:
        before = before.removesuffix(b"\n").removesuffix(b"\r" if _line_end(data) == b"\r\n" else b"")
    left = before + behind
    return None if not left and head.endswith(_NEW) else left


def block_lines(data: bytes) -> list[bytes]:
    """Return our lines in a file."""
    if _BEGIN not in data:
        return []
    start, end = _bounds(data)
    return [line for line in data[start : _last(data, end)].splitlines()[1:] if line]


def _bounds(data: bytes) -> tuple[int, int]:
    """Return our block's bounds; a truncated one ends with the file."""
    start = data.index(_BEGIN)
    close = data.find(_END, start)
    if close < 0:
        return start, len(data)
    return start, (data.find(b"\n", close) + 1) or len(data)


def _head(data: bytes, start: int) -> bytes:
    """Return our block's first line, whole or cut off."""
    return data[start:].partition(b"\n")[0].rstrip(b"\r")


def _last(data: bytes, end: int) -> int:
    """Return where the line that ends the block begins."""
    found = data.rfind(_END, 0, end)
    return found if found >= 0 else end


def _line_end(data: bytes) -> bytes:
    return b"\r\n" if b"\r\n" in data else b"\n"
