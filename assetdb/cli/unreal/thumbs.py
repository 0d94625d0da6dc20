"""`assetdb unreal thumbs`: the thumbnails of packages, listed or written as .png and .jpg."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import fail, not_found, print_json, printable, table
from assetdb.cli.unreal.opening import Failures, add_version_argument
from assetdb.cli.unreal.tags import packages_at
from formats.binary import FormatError
from formats.extraction import TargetFolder, UnsafeNameError

if TYPE_CHECKING:
    import argparse

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_SUFFIXES: Final = {"png": ".png", "jpeg": ".jpg"}
_LONGEST: Final = 120  # characters of a file name, without its suffix


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `thumbs`."""
    parser.add_argument("path", metavar="PATH", help="a .uasset or .umap, or a folder of them")
    parser.add_argument("--to", metavar="FOLDER", help="write the images into this folder")
    add_version_argument(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """List or write thumbnails; 1 if there are none, 2 if a package could not be read or a name was refused."""
    documents: list[dict[str, Any]] = []
    taken: set[str] = set()
    target = TargetFolder(arguments.to) if arguments.to else None
    refused = 0
    failed = Failures()
    for path, package in packages_at(arguments, failed):
        try:
            thumbnails = package.thumbnails
        except FormatError as error:
            failed.add(error, path)
            continue
        for thumbnail in thumbnails:
            if not thumbnail.size:
                continue
            document: dict[str, Any] = {
                "file": path,
                "object": thumbnail.object_path,
                "class": thumbnail.class_name,
                "width": thumbnail.width,
                "height": thumbnail.height,
                "format": thumbnail.image_format,
                "size": thumbnail.size,
            }
            if target is not None:
                base = arguments.path if os.path.isdir(arguments.path) else os.path.dirname(path) or "."
                stem = os.path.splitext(os.path.relpath(path, base))[0]
                name = _file_name(stem, thumbnail.object_path, _SUFFIXES[thumbnail.image_format], taken)
                document["written"] = os.path.join(arguments.to, name)
                try:
                    target.write(name, [thumbnail.image(package.data)])
                except UnsafeNameError as error:  # a package called CON, say
                    refused += 1
                    print(f"assetdb: {printable(path)}: {printable(str(error))}", file=sys.stderr)
                    continue
            documents.append(document)
    if arguments.json:
        print_json(documents)
    elif documents:
        rows = [
            (
                document.get("written") or document["file"],
                document["object"],
                document["class"],
                f"{document['width']} x {document['height']}",
                document["format"],
                f"{document['size']:,}",
            )
            for document in documents
        ]
        print(table(rows, right=frozenset({5})))
    if refused:
        return fail(f"{refused} thumbnails were refused")
    if failed or failed.unreadable:
        return 2
    return 0 if documents else not_found(f"{arguments.path}: there is no thumbnail here")


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
