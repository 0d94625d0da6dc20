"""``assetdb unreal tags`` and ``thumbs``: facts of the assets in packages."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.fields import fields_of
from assetdb.cli.terminal import fail, not_found, print_json_lines, print_rows, printable
from assetdb.cli.unreal.archives import displayed
from assetdb.cli.unreal.options import PackageOptions, Packages, refuse_container
from assetdb.cli.unreal.reporting import each_read, say, say_problems, unpacking
from assetdb_formats.extraction import TargetFolder, UnsafeNameError
from assetdb_formats.unreal.packages.package import tagged_assets

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Option
    from assetdb_formats.unreal.packages.registry import TaggedAsset
    from assetdb_formats.unreal.packages.thumbnails import Thumbnail
    from assetdb_formats.unreal.problems import Problem

_SHOWN: Final = 200  # characters of a value; search indices of Blueprints have thousands
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_SUFFIXES: Final = {"png": ".png", "jpeg": ".jpg"}
_LONGEST: Final = 120  # characters of a file name, without its suffix


@unpacking("path")
def tags(
    options: PackageOptions,
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

    wanted = class_name or ""
    read = each_read(
        path,
        problems,
        options,
        lambda _, package: (list(tagged_assets(package)), list(tagged_assets(package, class_name=wanted))),
    )
    for file, _, (every, assets) in read:
        classes.update(asset.short_class for asset in every)
        names.update(name for asset in assets for name in asset.tags)
        found += [(file, asset) for asset in assets if not key or asset.has(key, value)]
    if options.json:
        named = ((displayed(file), fields_of(asset, displayed, object_path="object")) for file, asset in found)
        print_json_lines({"file": file, **facts} for file, facts in named)
    else:
        for file, asset in found:
            _print(file, asset, key)
    broken = say_problems(problems, every=options.verbose)
    return broken if broken or found else _none(wanted, key, value, names, classes)


def _none(class_name: str, key: str, value: str | None, names: set[str], classes: set[str]) -> int:
    """Print that there is nothing to list."""
    if class_name and class_name.lower() not in map(str.lower, classes):
        return not_found(f"there is no asset of class {class_name}", class_name, classes)
    if key in names:
        return not_found(f"no asset here has {key}={value}")
    return not_found(f"no asset here has the tag {key}" if key else "there is no asset here", key, names)


def _print(path: str, asset: TaggedAsset, key: str) -> None:
    print(printable(f"{displayed(path)}: {asset.object_path} ({asset.class_name})"))
    for name, text in asset.tags.items():
        if not key or name == key:
            shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"
            print(f"  {printable(name)} = {printable(shown)}")


@unpacking("path")
def thumbs(
    options: PackageOptions,
    path: Packages,
    to: Annotated[str | None, Option("--to", metavar="FOLDER", help="Write the images to this folder.")] = None,
) -> int:
    """List or write thumbnails; 1 if there are none."""
    refuse_container(path)
    rows: list[dict[str, Any]] = []
    taken: set[str] = set()
    target = TargetFolder(to) if to else None
    base = path if os.path.isdir(path) else os.path.dirname(path) or "."
    refused = 0
    problems: list[Problem] = []
    for file, opened, thumbnails in each_read(path, problems, options, lambda _, package: package.thumbnails):
        for thumbnail in (each for each in thumbnails if each.size):
            row = _row(file, thumbnail)
            if target is not None:
                stem = os.path.splitext(os.path.relpath(file, base))[0]
                name = _file_name(stem, thumbnail.object_path, _SUFFIXES[thumbnail.image_format], taken)
                row["written"] = os.path.join(to or "", name)
                try:
                    target.write(name, [thumbnail.image(opened.package.data)])
                except UnsafeNameError as error:  # a package called CON, say
                    refused += 1
                    say(f"{file}: {error}")
                    continue
            rows.append(row)
    print_rows(rows, dict, _shown, as_json=options.json, right=frozenset({5}))
    broken = say_problems(problems, every=options.verbose)
    if refused:
        return fail(f"{refused} thumbnails were refused")
    return broken if broken or rows else not_found(displayed(f"{path}: there is no thumbnail here"))


def _row(path: str, thumbnail: Thumbnail) -> dict[str, Any]:
    return {
        "file": displayed(path),
        "object": thumbnail.object_path,
        "class": thumbnail.class_name,
        "width": thumbnail.width,
        "height": thumbnail.height,
        "format": thumbnail.image_format,
        "size": thumbnail.size,
    }


def _shown(row: dict[str, Any]) -> tuple[object, ...]:
    size = f"{row['width']} x {row['height']}"
    return row.get("written") or row["file"], row["object"], row["class"], size, row["format"], f"{row['size']:,}"


def _file_name(stem: str, object_path: str, suffix: str, taken: set[str]) -> str:
    """Return a safe and unique file name for a thumbnail."""
    leaf = _UNSAFE.sub("_", f"{stem}.{object_path}").strip("._-")[-_LONGEST:] or "thumbnail"
    name = leaf + suffix
    number = 2
    while name.lower() in taken:
        name = f"{leaf}-{number}{suffix}"
        number += 1
    taken.add(name.lower())
    return name
