"""``assetdb dump``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.cli.terminal import print_json, printable
from assetdb.errors import DatabaseError
from assetdb.settings.output_folder import output_folder
from assetdb.settings.project import find_project
from assetdb.store.dump import lines
from assetdb.store.files import DATABASE_NAME
from assetdb.store.schema import read_entries
from assetdb.system.reading import open_regular

if TYPE_CHECKING:
    from assetdb.cli.arguments import DatabaseOptions
    from assetdb.cli.options import Annotated, Argument, Json


def dump(
    options: DatabaseOptions,
    file: Annotated[str | None, Argument(metavar="FILE", help="An asset-db.bin (default: the project's).")] = None,
    json: Json = False,
) -> int:
    """Print a database, ours or the crate's."""
    path = file or os.path.join(output_folder(find_project(options.project), options.out_dir).path, DATABASE_NAME)
    with open(open_regular(path), "rb") as opened:
        data = opened.read()
    try:
        _print(data, as_text=not json)
    except DatabaseError as error:
        raise DatabaseError(f"{path}: {error}") from error
    return 0


def _print(data: bytes, *, as_text: bool) -> None:
    if as_text:
        for line in lines(data):
            print(printable(line))
        return
    for asset in read_entries(data):
        fields = {**asset._asdict(), "sub_assets": [row._asdict() for row in asset.sub_assets]}
        print_json(fields)
