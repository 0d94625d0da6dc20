"""The bundles at the paths of a command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.bundle.inputs import find_bundles
from tests.assetdb_formats.casset import builder

if TYPE_CHECKING:
    from pathlib import Path


def test_a_bundle_that_is_named_beside_its_folder_is_one(tmp_path: Path) -> None:
    """`bundle verify . ./A.casset` verified it twice, and `ls` listed its objects twice."""
    for name in ("A.casset", "B.casset"):
        (tmp_path / name).write_bytes(builder.all_types())
    path = str(tmp_path / "A.casset")
    for paths in ((str(tmp_path), path), (path, f"{tmp_path}/.")):
        found = find_bundles(paths)
        assert (len(found.files), found.code) == (2, 0)
        assert found.files[0].input.name == path
