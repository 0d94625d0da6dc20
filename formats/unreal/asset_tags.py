"""Assets of packages by their asset registry tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from formats.unreal.package import Package


class TaggedAsset(NamedTuple):
    """An asset of a package, with its tags."""

    object_path: str
    class_name: str
    tags: Mapping[str, str]


def tagged_assets(package: Package, tag: str = "", value: str | None = None) -> Iterator[TaggedAsset]:
    """Yield the assets of a package that have a tag (and this value); without a tag, all.

    Raises:
        FormatError: its asset registry section is damaged.
    """
    for asset in package.registry.assets:
        if not tag or (tag in asset.tags and (value is None or asset.tags[tag] == value)):
            yield TaggedAsset(asset.object_path, asset.class_name, asset.tags)
