"""Make the table of the GUIDs of public packages, ``assetdb/unity/settings/package_guids.bin``, of folders of packages.

    python -m scripts.package_guids FOLDER [FOLDER ...] [--keep] [--list]

A FOLDER is a package (it has a ``package.json``) or holds packages, at any depth: a ``Library/PackageCache``, unpacked
tarballs of several versions. Every meta in them gives a row: GUID, package, path. ``--keep`` adds to the rows of the
table that is there, so that a GUID which only an older version had stays; ``--list`` prints the rows that it has.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from assetdb.unity.metas.meta import MetaReader
from assetdb.unity.settings import known_packages
from scripts.arguments import Given, script

TABLE = Path(known_packages.__file__).with_name(known_packages.FILE_NAME)


def rows_of(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the rows of all packages below a folder."""
    reader = MetaReader()
    for place, folders, names in os.walk(folder):
        folders.sort()
        if "package.json" not in names:
            continue
        folders.clear()  # a package is walked by itself
        package = Path(place)
        name = json.loads((package / "package.json").read_text("utf-8-sig"))["name"]
        for meta in sorted(package.rglob("*.meta")):
            guid = reader.read(meta.read_bytes())[0]
            if guid:
                yield guid.decode(), name, meta.relative_to(package).as_posix().removesuffix(".meta")


@script(__doc__, "folders*", keep=False, list=False)
def main(given: Given) -> None:
    """Run from the command line."""
    known = list(known_packages.KnownPackages(TABLE.read_bytes()).rows()) if TABLE.is_file() else []
    if given.list:
        for row in known:
            print(*row, sep="\t")
        return
    rows = known if given.keep else []
    for folder in given.folders:
        rows += rows_of(folder)
    TABLE.write_bytes(known_packages.encode(rows))
    print(f"{len({row[0] for row in rows})} GUIDs of {len({row[1] for row in rows})} packages: {TABLE}")
