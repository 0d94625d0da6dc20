"""Files that may have the events of animation clips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.unity.kinds import extensions_named_by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.inputs import Assets

_CLIPS: Final = frozenset(("anim", "controller", "playable"))  # Unity makes a button's clips inside of its controller
_MODELS: Final = extensions_named_by("model")
_META: Final = ".meta"


def clip_files(database: Assets) -> Iterator[tuple[str, str]]:
    """Yield the files that may have events, each with the asset's GUID.

    The clips of a model have theirs in its meta.
    """
    for extension in sorted(_CLIPS | _MODELS):
        end = _META if extension in _MODELS else ""
        for asset in database.ending(f".{extension}"):
            yield f"{asset.path}{end}", asset.guid
