"""The files of a project's database as one thing: which are replaced, and what killed processes left of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.scan.known import cache, file_identities
from assetdb.store.files import DATABASE_NAME, INDEX_NAME, MEMO_NAME
from assetdb.store.output import Output
from assetdb_formats.atomic import temporary_of

if TYPE_CHECKING:
    from pathlib import Path

NAMES = (
    DATABASE_NAME,
    INDEX_NAME,
    cache.FILE_NAME,
    file_identities.FILE_NAME,
    MEMO_NAME,
)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_killed_process_left_of_any_file_is_removed(tmp_path: Path, name: str) -> None:
    left = temporary_of(os.path.join(tmp_path, name), 77)
    own = temporary_of(os.path.join(tmp_path, "somebody's"), 77)
    for path in (left, own, os.path.join(tmp_path, name)):
        with open(path, "wb") as file:
            file.write(b"half")
    Output(str(tmp_path)).remove_leftovers()
    assert sorted(os.listdir(tmp_path)) == sorted((os.path.basename(own), name))
