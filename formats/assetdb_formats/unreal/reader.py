"""The bounded reader of this family, with its errors."""

from __future__ import annotations

from assetdb_formats import binary
from assetdb_formats.unreal.errors import UnrealError


class Reader(binary.Reader):
    """A cursor over little-endian bytes that never reads past its end."""

    __slots__ = ()

    def error(self, what: str, field: str = "", *, offset: int | None = None) -> UnrealError:
        """Make (not raise) an error at ``offset``, by default the cursor."""
        return UnrealError(what, offset=self.base + (self.position if offset is None else offset), field=field)
