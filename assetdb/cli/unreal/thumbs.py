"""``assetdb unreal thumbs``: thumbnails, listed or written."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import fail, not_found, print_json, table
from assetdb.cli.unreal.archives import displayed
from assetdb.cli.unreal.options import Reading, refuse_container
from assetdb.cli.unreal.reporting import progress_of, say, say_problems, with_archives
from assetdb_formats.binary import FormatError
from assetdb_formats.extraction import TargetFolder, UnsafeNameError
from assetdb_formats.unreal.files.opening import each_package
from assetdb_formats.unreal.problems import problem_of

if TYPE_CHECKING:
    from typing import Annotated

    from typer import Argument, Option

    from assetdb_formats.unreal.packages.thumbnails import Thumbnail
    from assetdb_formats.unreal.problems import Problem

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_SUFFIXES: Final = {"png": ".png", "jpeg": ".jpg"}
_LONGEST: Final = 120  # characters of a file name, without its suffix


def thumbs(
    options: Reading,
    path: Annotated[str, Argument(metavar="PATH", help="A .uasset or .umap, or a folder of them.")],
    to: Annotated[str | None, Option("--to", metavar="FOLDER", help="Write the images to this folder.")] = None,
) -> int:
    """List or write thumbnails; 1 if there are none.

    2 if a package could not be read or a name was refused.
    """
    return with_archives([path], options, lambda places: _thumbs(places[0], to, options))


def _thumbs(path: str, to: str | None, options: Reading) -> int:
    refuse_container(path)
    rows: list[dict[str, Any]] = []
    taken: set[str] = set()
    target = TargetFolder(to) if to else None
    base = path if os.path.isdir(path) else os.path.dirname(path) or "."
    refused = 0
    problems: list[Problem] = []
    with progress_of("packages") as progress:
        for file, (package, _) in each_package(path, problems, assume=options.assumed, progress=progress):
            try:
                thumbnails = [each for each in package.thumbnails if each.size]
            except FormatError as error:
                problems.append(problem_of(error, file))
                continue
            for thumbnail in thumbnails:
                row = _row(file, thumbnail)
                if target is not None:
                    stem = os.path.splitext(os.path.relpath(file, base))[0]
                    name = _file_name(stem, thumbnail.object_path, _SUFFIXES[thumbnail.image_format], taken)
                    row["written"] = os.path.join(to or "", name)
                    try:
                        target.write(name, [thumbnail.image(package.data)])
                    except UnsafeNameError as error:  # a package called CON, say
                        refused += 1
                        progress.close()
                        say(f"{file}: {error}")
                        continue
                rows.append(row)
    if options.json:
        print_json(rows)
    elif rows:
        print(table([_shown(row) for row in rows], right=frozenset({5})))
    broken = say_problems(problems, every=options.verbose)
    if refused:
        return fail(f"{refused} thumbnails were refused")
    if broken:
        return 2
    return 0 if rows else not_found(displayed(f"{path}: there is no thumbnail here"))


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
    """Return a safe and unique file name for a thumbnail.

    No file system misreads it, and it leads out of no folder.
    """
    leaf = _UNSAFE.sub("_", f"{stem}.{object_path}").strip("._-")[-_LONGEST:] or "thumbnail"
    name = leaf + suffix
    number = 2
    while name.lower() in taken:
        name = f"{leaf}-{number}{suffix}"
        number += 1
    taken.add(name.lower())
    return name
