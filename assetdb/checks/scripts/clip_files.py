"""Files that may have the events of animation clips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.unity.kinds import extension_of, extensions_named_by

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
    seen = set()
    for extension in sorted(_CLIPS | _MODELS):
        for written in (extension, extension.upper(), extension.capitalize()):  # a search reads no asset in vain
            for asset in database.containing(f".{written}".encode()):
                if extension_of(asset.path) == extension and asset.path not in seen:
                    seen.add(asset.path)
                    yield (f"{asset.path}{_META}" if extension in _MODELS else asset.path), asset.guid
