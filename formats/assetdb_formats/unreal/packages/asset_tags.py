"""Assets of packages with their asset registry tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assetdb_formats.unreal.packages.package import Package


class TaggedAsset(NamedTuple):
    """An asset of a package; from 5.1 on ``class_name`` is a path."""

    object_path: str
    class_name: str
    tags: Mapping[str, str]

    @property
    def short_class(self) -> str:
        """The class without its module."""
        return self.class_name.rpartition(".")[2]

    def has(self, tag: str, value: str | None = None) -> bool:
        """Whether the asset has a tag, with ``value`` where given."""
        return tag in self.tags and (value is None or self.tags[tag] == value)


def tagged_assets(package: Package, *, class_name: str = "") -> Iterator[TaggedAsset]:
    """Yield a package's assets, or those of a class (name or path)."""
    wanted = class_name.lower()
    for each in package.registry.assets:
        asset = TaggedAsset(each.object_path, each.class_name, each.tags)
        if not wanted or wanted in (asset.class_name.lower(), asset.short_class.lower()):
            yield asset
