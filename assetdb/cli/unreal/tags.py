"""``assetdb unreal tags``: asset registry tags of packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.cli.terminal import not_found, print_json, printable
from assetdb.cli.unreal.archives import displayed
from assetdb.cli.unreal.options import Packages, Reading, refuse_container
from assetdb.cli.unreal.reporting import as_json, each_read, say_problems, unpacking
from assetdb_formats.unreal.packages.asset_tags import tagged_assets

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Option
    from assetdb_formats.unreal.packages.asset_tags import TaggedAsset
    from assetdb_formats.unreal.packages.package import Package
    from assetdb_formats.unreal.problems import Problem

_SHOWN: Final = 200  # characters of a value; search indices of Blueprints have thousands


@unpacking("path")
def tags(
    options: Reading,
    path: Packages,
    tag: Annotated[
        str | None, Option("--tag", metavar="KEY[=VALUE]", help="Only assets with this tag (and this value).")
    ] = None,
    class_name: Annotated[
        str | None, Option("--class", metavar="CLASS", help="Only this class, such as Texture2D.")
    ] = None,
) -> int:
    """Print tags; 1 if there are none, 2 for unreadable packages."""
    refuse_container(path)
    key, equals, text = (tag or "").partition("=")
    value = text if equals else None
    found: list[tuple[str, TaggedAsset]] = []
    names: set[str] = set()
    classes: set[str] = set()
    problems: list[Problem] = []

    def read(_: str, package: Package) -> tuple[list[TaggedAsset], list[TaggedAsset]]:
        return list(tagged_assets(package)), list(tagged_assets(package, class_name=class_name or ""))

    for file, _, (every, assets) in each_read(path, problems, options, read):
        classes.update(asset.short_class for asset in every)
        names.update(name for asset in assets for name in asset.tags)
        found += [(file, asset) for asset in assets if not key or asset.has(key, value)]
    if options.json:
        print_json([_asset_json(file, asset) for file, asset in found])
    else:
        for file, asset in found:
            _print(file, asset, key)
    if say_problems(problems, every=options.verbose):
        return 2
    if found:
        return 0
    return _none(class_name or "", key, value, names, classes)


def _none(class_name: str, key: str, value: str | None, names: set[str], classes: set[str]) -> int:
    """Print that there is nothing to list."""
    if class_name and class_name.lower() not in map(str.lower, classes):
        return not_found(f"there is no asset of class {class_name}", class_name, classes)
    if key in names:
        return not_found(f"no asset here has {key}={value}")
    return not_found(f"no asset here has the tag {key}" if key else "there is no asset here", key, names)


def _asset_json(path: str, asset: TaggedAsset) -> dict[str, object]:
    return {
        "file": displayed(path),
        "object": asset.object_path,
        "class": asset.class_name,
        "tags": as_json(asset.tags),
    }


def _print(path: str, asset: TaggedAsset, key: str) -> None:
    print(printable(f"{displayed(path)}: {asset.object_path} ({asset.class_name})"))
    for name, text in asset.tags.items():
        if not key or name == key:
            shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"
            print(f"  {printable(name)} = {printable(shown)}")
