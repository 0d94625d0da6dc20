"""`assetdb unreal tags`: the asset registry tags of one package, or of those of a folder that have one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.cli.terminal import not_found, print_json, printable
from assetdb.cli.unreal.facts import as_json
from assetdb.cli.unreal.options import add_json_argument, add_version_argument, assumed_version, refuse_container
from assetdb.cli.unreal.reporting import progress_of, say_problems
from formats.binary import FormatError
from formats.unreal.asset_tags import tagged_assets
from formats.unreal.opening import each_package
from formats.unreal.problems import problem_of

if TYPE_CHECKING:
    import argparse

    from formats.unreal.asset_tags import TaggedAsset
    from formats.unreal.problems import Problem

_SHOWN: Final = 200  # characters of a value; search indices of Blueprints have thousands


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tags`."""
    parser.add_argument("path", metavar="PATH", help="a .uasset or .umap, or a folder of them")
    parser.add_argument("--tag", metavar="KEY[=VALUE]", help="only assets with this tag (and this value)")
    parser.add_argument("--class", dest="class_name", metavar="CLASS", help="only this class, such as Texture2D")
    add_version_argument(parser)
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print tags; 1 if there are none, 2 if a package could not be read."""
    refuse_container(arguments.path)
    key, equals, text = (arguments.tag or "").partition("=")
    value = text if equals else None
    found: list[tuple[str, TaggedAsset]] = []
    tags: set[str] = set()
    classes: set[str] = set()
    problems: list[Problem] = []
    with progress_of("packages") as progress:
        packages = each_package(arguments.path, problems, assume=assumed_version(arguments), progress=progress)
        for path, (package, _) in packages:
            try:
                assets = list(tagged_assets(package, class_name=arguments.class_name or ""))
                classes.update(asset.short_class for asset in tagged_assets(package))
            except FormatError as error:
                problems.append(problem_of(error, path))
                continue
            tags.update(name for asset in assets for name in asset.tags)
            found += [(path, asset) for asset in assets if not key or asset.has(key, value)]
    if arguments.json:
        print_json([_asset_json(path, asset) for path, asset in found])
    else:
        for path, asset in found:
            _print(path, asset, key)
    if say_problems(problems, every=arguments.verbose):
        return 2
    if found:
        return 0
    return _none(arguments.class_name or "", key, value, tags, classes)


def _none(class_name: str, key: str, value: str | None, tags: set[str], classes: set[str]) -> int:
    """Say what there is none of."""
    if class_name and class_name.lower() not in map(str.lower, classes):
        return not_found(f"there is no asset of class {class_name}", class_name, classes)
    if key in tags:
        return not_found(f"no asset here has {key}={value}")
    return not_found(f"no asset here has the tag {key}" if key else "there is no asset here", key, tags)


def _asset_json(path: str, asset: TaggedAsset) -> dict[str, object]:
    return {"file": path, "object": asset.object_path, "class": asset.class_name, "tags": as_json(asset.tags)}


def _print(path: str, asset: TaggedAsset, key: str) -> None:
    print(printable(f"{path}: {asset.object_path} ({asset.class_name})"))
    for name, text in asset.tags.items():
        if not key or name == key:
            shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"
            print(f"  {printable(name)} = {printable(shown)}")
