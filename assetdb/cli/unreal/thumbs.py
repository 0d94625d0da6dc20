"""`assetdb unreal thumbs`: the thumbnails of packages, listed or written as .png and .jpg."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import fail, not_found, print_json, table
from assetdb.cli.unreal.options import add_json_argument, add_version_argument, assumed_version, refuse_container
from assetdb.cli.unreal.reporting import progress_of, say, say_problems
from formats.binary import FormatError
from formats.extraction import TargetFolder, UnsafeNameError
from formats.unreal.opening import each_package
from formats.unreal.problems import problem_of

if TYPE_CHECKING:
    import argparse

    from formats.unreal.problems import Problem
    from formats.unreal.thumbnails import Thumbnail

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_SUFFIXES: Final = {"png": ".png", "jpeg": ".jpg"}
_LONGEST: Final = 120  # characters of a file name, without its suffix


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `thumbs`."""
    parser.add_argument("path", metavar="PATH", help="a .uasset or .umap, or a folder of them")
    parser.add_argument("--to", metavar="FOLDER", help="write the images into this folder")
    add_version_argument(parser)
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """List or write thumbnails; 1 if there are none, 2 if a package could not be read or a name was refused."""
    refuse_container(arguments.path)
    rows: list[dict[str, Any]] = []
    taken: set[str] = set()
    target = TargetFolder(arguments.to) if arguments.to else None
    base = arguments.path if os.path.isdir(arguments.path) else os.path.dirname(arguments.path) or "."
    refused = 0
    problems: list[Problem] = []
    with progress_of("packages") as progress:
        packages = each_package(arguments.path, problems, assume=assumed_version(arguments), progress=progress)
        for path, (package, _) in packages:
            try:
                thumbnails = [each for each in package.thumbnails if each.size]
            except FormatError as error:
                problems.append(problem_of(error, path))
                continue
            for thumbnail in thumbnails:
                row = _row(path, thumbnail)
                if target is not None:
                    stem = os.path.splitext(os.path.relpath(path, base))[0]
                    name = _file_name(stem, thumbnail.object_path, _SUFFIXES[thumbnail.image_format], taken)
                    row["written"] = os.path.join(arguments.to, name)
                    try:
                        target.write(name, [thumbnail.image(package.data)])
                    except UnsafeNameError as error:  # a package called CON, say
                        refused += 1
                        progress.close()
                        say(f"{path}: {error}")
                        continue
                rows.append(row)
    if arguments.json:
        print_json(rows)
    elif rows:
        print(table([_shown(row) for row in rows], right=frozenset({5})))
    broken = say_problems(problems, every=arguments.verbose)
    if refused:
        return fail(f"{refused} thumbnails were refused")
    if broken:
        return 2
    return 0 if rows else not_found(f"{arguments.path}: there is no thumbnail here")


def _row(path: str, thumbnail: Thumbnail) -> dict[str, Any]:
    return {
        "file": path,
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
    """Make a name of one part that no file system misreads and no other thumbnail has: none leaves its folder."""
    leaf = _UNSAFE.sub("_", f"{stem}.{object_path}").strip("._-")[-_LONGEST:] or "thumbnail"
    name = leaf + suffix
    number = 2
    while name.lower() in taken:
        name = f"{leaf}-{number}{suffix}"
        number += 1
    taken.add(name.lower())
    return name
