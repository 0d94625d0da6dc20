"""`assetdb unreal tags`: the asset registry tags of one package, or of those of a folder that have one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from assetdb.cli.terminal import Progress, not_found, print_json, printable
from assetdb.cli.unreal.opening import (
    Failures,
    add_version_argument,
    assumed_version,
    open_package,
    refuse_container,
    say_unreadable,
)
from formats.binary import FormatError
from formats.unreal.scan import list_packages

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from formats.unreal.package import Package

_SHOWN = 200  # characters of a value; search indices of Blueprints have thousands


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tags`."""
    parser.add_argument("path", metavar="PATH", help="a .uasset or .umap, or a folder of them")
    parser.add_argument("--tag", metavar="KEY[=VALUE]", help="only assets with this tag (and this value)")
    add_version_argument(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print tags; 1 if there are none, 2 if a package could not be read."""
    key, _, value = (arguments.tag or "").partition("=")
    exact = "=" in (arguments.tag or "")
    documents: list[dict[str, Any]] = []
    known: set[str] = set()
    failed = Failures()
    for path, package in packages_at(arguments, failed):
        try:
            assets = package.registry.assets
        except FormatError as error:
            failed.add(error, path)
            continue
        known.update(name for asset in assets for name in asset.tags)
        documents += [
            {"file": path, "object": asset.object_path, "class": asset.class_name, "tags": asset.tags}
            for asset in assets
            if not key or (key in asset.tags and (not exact or asset.tags[key] == value))
        ]
    if arguments.json:
        print_json(documents)
    else:
        for document in documents:
            print(printable(f"{document['file']}: {document['object']} ({document['class']})"))
            for name, text in document["tags"].items():
                if not key or name == key:
                    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"
                    print(f"  {printable(name)} = {printable(shown)}")
    if failed or failed.unreadable:
        return 2
    if documents:
        return 0
    if key in known:
        return not_found(f"no asset here has {key}={value}")
    return not_found(f"no asset here has the tag {key}" if key else "there is no asset here", key, known)


def packages_at(arguments: argparse.Namespace, failed: Failures) -> Iterator[tuple[str, Package]]:
    """Yield (file, package) of a file, or of all in a folder; those that cannot be read go into ``failed``.

    When there is no other, these are said: what comes out of the packages is not to stand between them.
    """
    assume = assumed_version(arguments)
    refuse_container(arguments.path)
    if not os.path.isdir(arguments.path):
        yield arguments.path, open_package(arguments.path, assume)[0]
        failed.say()
        return
    files, unreadable = list_packages(arguments.path)
    progress = Progress("packages")
    for number, file in enumerate(sorted(files)):
        progress(number, len(files))
        path = os.path.join(arguments.path, file.path)
        try:
            package, _ = open_package(path, assume)
        except FormatError as error:
            failed.add(error, path)
            continue
        except OSError as error:
            unreadable.append((path, error.strerror or str(error)))
            continue
        yield path, package
    progress.close()
    failed.say()
    failed.unreadable = say_unreadable(unreadable)
