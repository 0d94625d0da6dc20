"""``assetdb dump``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.cli.parsing import add_manners
from assetdb.cli.terminal import print_json, printable
from assetdb.project import find_project
from assetdb.settings.output_folder import output_folder
from assetdb.store.dump import lines
from assetdb.store.schema import FILE_NAME, read_entries
from assetdb.system.reading import open_regular

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb dump``."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="an asset-db.bin (default: the project's)")
    parser.add_argument("--project", metavar="DIR", help="the Unity project whose database to print")
    parser.add_argument("--out-dir", metavar="DIR", help="where it is (default: Library/assetdb in the project)")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    add_manners(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a database, ours or the crate's."""
    path = arguments.file or os.path.join(
        output_folder(find_project(arguments.project), arguments.out_dir).path, FILE_NAME
    )
    with open(open_regular(path), "rb") as file:
        data = file.read()
    if not arguments.json:
        for line in lines(data):
            print(printable(line))
        return 0
    for asset in read_entries(data):
        fields = {**asset._asdict(), "sub_assets": [row._asdict() for row in asset.sub_assets]}
        print_json(fields)
    return 0
