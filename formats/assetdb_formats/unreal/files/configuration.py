"""Config/*.ini of a project: default maps, modes, asset roots."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.files import read_file
from assetdb_formats.unreal.scanning.mounts import content_root

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATH: Final = re.compile(r"/[A-Za-z0-9_]+(?:/[\w.-]+)+")
_FOLDERS: Final = re.compile(r"[+.]?(?:DirectoriesToAlwaysCook|PrimaryAssetTypesToScan)\s*=", re.IGNORECASE)
_IN_FOLDER: Final = re.compile(r"Path\s*=\s*\"?([^\"(),]+)", re.IGNORECASE)
_BASE_CLASS: Final = re.compile(r"AssetBaseClass\s*=([^,)]*)", re.IGNORECASE)
_HAS_BLUEPRINTS: Final = re.compile(r"bHasBlueprintClasses\s*=\s*True", re.IGNORECASE)
_LARGEST_INI: Final = 16 << 20


class ConfiguredFolder(NamedTuple):
    """A folder, such as ``/Game/UI``, that the game loads by itself.

    ``classes`` are short names in lower case; without any, all packages in it count.
    """

    name: str
    classes: frozenset[str]


def configured_packages(folder: str) -> list[str]:
    """Return the packages named in a project's Config/*.ini."""
    found: set[str] = set()
    for line in _lines(folder):
        found.update(path.partition(".")[0] for path in _PATH.findall(line))
    return sorted(found)


def configured_folders(folder: str) -> list[ConfiguredFolder]:
    """Return the folders that a project's Config/*.ini has loaded or cooked.

    The asset manager takes assets of one class from its folders. Which classes derive from that one is not known here:
    only the class itself counts, and Blueprints where they are to be taken.
    """
    found: set[ConfiguredFolder] = set()
    for line in _lines(folder):
        if not _FOLDERS.match(line):
            continue
        classes = {path.strip("'\" ").rpartition(".")[2].lower() for path in _BASE_CLASS.findall(line)}
        if classes and _HAS_BLUEPRINTS.search(line):
            classes.add("blueprint")
        found.update(ConfiguredFolder(name.rstrip("/"), frozenset(classes)) for name in _IN_FOLDER.findall(line))
    return sorted(found, key=lambda each: (each.name, sorted(each.classes)))


def _lines(folder: str) -> Iterator[str]:
    """Yield the lines of Config/*.ini that are no comments.

    ``Config`` lies in ``folder``, above it, or beside the Content folder that it is in.
    """
    owner = os.path.dirname(content_root(os.path.realpath(folder)).folder)
    places = (os.path.join(base, "Config") for base in (folder, os.path.join(folder, os.pardir), owner))
    for config in {os.path.realpath(place): None for place in places if os.path.isdir(place)}:
        for place, _, names in os.walk(config):
            for name in names:
                if name.lower().endswith(".ini"):
                    text = read_file(os.path.join(place, name), largest=_LARGEST_INI)
                    encoding = "utf-16" if text[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8"
                    lines = map(str.strip, text.decode(encoding, "replace").splitlines())
                    yield from (line for line in lines if not line.startswith(";"))
