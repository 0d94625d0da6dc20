"""The bounded reader of binary formats, and its error."""

from __future__ import annotations

from struct import Struct, calcsize

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class _Integer(Protocol):
        def __call__(self, field: str = "") -> int: ...

    class _Real(Protocol):
        def __call__(self, field: str = "") -> float: ...


class FormatError(ValueError):
    """Error of bytes that do not follow their format.

    Attributes:
        what: what is wrong, in one sentence without a full stop.
        offset: byte offset in the file (or in the named part of it), or None where no single byte is to blame.
        field: the field that was being read, dotted from the outside in (``header.names[3]``), or ``""``.
        path: the file, or ``""`` for bytes from memory; set by the function that opens the file.
    """

    def __init__(self, what: str, *, offset: int | None = None, field: str = "", path: str = "") -> None:
        super().__init__(what, offset, field, path)
        self.what = what
        self.offset = offset
        self.field = field
        self.path = path

    def __str__(self) -> str:
        where = [self.path] if self.path else []
        if self.offset is not None:
            where.append(f"offset {self.offset} (0x{self.offset:x})")
        if self.field:
            where.append(self.field)
        return f"{': '.join(where)}: {self.what}" if where else self.what

    def at(self, path: str) -> FormatError:
        """Return the same error with the file it was found in."""
        return type(self)(self.what, offset=self.offset, field=self.field, path=path)


def number(code: str) -> Callable[..., Any]:
    """Return a reader's method for numbers of a ``struct`` format."""
    size, unpack = calcsize(code), Struct(code).unpack_from

    def read(self: Reader, field: str = "") -> Any:  # noqa: ANN401 - the attribute says which
        position = self.position
        if position + size > self.end:
            self.need(size, field)  # raises; not called otherwise, as this is called for nearly every byte
        self.position = position + size
        return unpack(self.data, position)[0]

    return read


class Reader:
    """A cursor over little-endian bytes that never reads past its end.

    ``base`` is added to every offset that an error reports, so that a part of a file speaks of the whole.
    Sizes are bytes; every method that takes ``field`` names it in the error. ``failure`` is the class of errors.
    """

    __slots__ = ("base", "data", "end", "position")

    failure: type[FormatError] = FormatError

    def __init__(self, data: bytes | memoryview, position: int = 0, end: int | None = None, *, base: int = 0) -> None:
        self.data = data
        self.position = position
        self.end = len(data) if end is None else min(end, len(data))
        self.base = base

    @property
    def left(self) -> int:
        """Bytes between the cursor and the end."""
        return self.end - self.position

    def error(self, what: str, field: str = "", *, offset: int | None = None) -> FormatError:
        """Make (not raise) an error at ``offset``, by default the cursor."""
        return self.failure(what, offset=self.base + (self.position if offset is None else offset), field=field)

    def need(self, size: int, field: str = "") -> int:
        """Reserve ``size`` bytes: return the cursor and move past them."""
        position = self.position
        if size < 0 or size > self.end - position:
            raise self.error(f"needs {size} bytes, {self.end - position} are left", field)
        self.position = position + size
        return position

    def take(self, size: int, field: str = "") -> bytes:
        """Return a copy of the next ``size`` bytes."""
        position = self.need(size, field)
        return bytes(self.data[position : position + size])

    def view(self, size: int, field: str = "") -> memoryview:
        """Return the next ``size`` bytes without copying them."""
        position = self.need(size, field)
        return memoryview(self.data)[position : position + size]

    def seek(self, position: int, field: str = "") -> None:
        """Move the cursor to an offset within the data."""
        if not 0 <= position <= self.end:
            raise self.error(f"points to {position}, outside 0..{self.end}", field)
        self.position = position

    def count(self, number: int, item_size: int, field: str = "") -> int:
        """Return a count after checking that as many items fit."""
        if number < 0 or number * item_size > self.end - self.position:
            raise self.error(f"counts {number} items of {item_size} bytes, {self.left} bytes are left", field)
        return number

    def u8(self, field: str = "") -> int:
        """Read an unsigned byte."""
        return self.data[self.need(1, field)]

    # Numbers of the kind and the bits in their names.
    u16: _Integer = number("<H")
    u32: _Integer = number("<I")
    u64: _Integer = number("<Q")
    i16: _Integer = number("<h")
    i32: _Integer = number("<i")
    i64: _Integer = number("<q")
    f32: _Real = number("<f")
    f64: _Real = number("<d")
