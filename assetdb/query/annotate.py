"""YAML of a project with names beside the ids."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from assetdb.resolve.resolver import MISSING_ASSET
from assetdb.system.cancelling import check_cancelled
from assetdb.unity.engine.builtin import built_in_file
from assetdb.unity.yaml.annotation import find_referred, named, with_comments
from assetdb.unity.yaml.objects import TextObjects

if TYPE_CHECKING:
    from assetdb.resolve.resolver import Name, Resolver

_NUMBERS: Final = count()


def annotated(data: bytes, resolver: Resolver) -> bytes:
    """Return YAML with names as comments, all other bytes unchanged.

    The data may be an old version of a file, so it is registered under a fresh GUID each time: the resolver caches by
    GUID.
    """
    key = f"annotated {next(_NUMBERS)}"

    def name_of(guid: bytes, file_id: int | None, override: bool) -> str | None:  # noqa: FBT001 - a callback
        check_cancelled()
        if file_id is None and is_unknown(guid, resolver):
            return None
        return name_to_show(resolver.name(guid.hex(), file_id, override=override))

    resolver.add_content(key, TextObjects(data))
    try:
        found = list(named(find_referred(data), name_of, lambda file_id: resolver.local_name(key, file_id)))
        return with_comments(data, found)
    finally:
        resolver.drop_content(key)


def is_unknown(guid: bytes, resolver: Resolver) -> bool:
    """Whether 16 bytes are probably not a GUID: nothing here has them."""
    return not built_in_file(guid) and resolver.locate(guid.hex()) is None


def name_to_show(name: Name) -> str | None:
    """Return a reference's comment: its name, a reason, or None."""
    if name.name:
        return name.name
    if name.reason == MISSING_ASSET:
        return name.reason
    return f"{name.path.rpartition('/')[2]}: {name.reason}" if name.path else None
