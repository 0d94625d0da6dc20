"""ArtifactDB: which imports are current, their main objects and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("lmdb", reason="ArtifactDB is written with the wheel lmdb")

import lmdb

from assetdb.doctor.library.artifact_db import Artifact, read_artifacts
from assetdb_formats.binary import FormatError
from tests.assetdb.doctor.library.editor_files import Import, Node, imported, write_artifact_db
from tests.assetdb.unity_project import guid

if TYPE_CHECKING:
    from pathlib import Path

MODEL = imported([Node("Arm", 100000, 400000)])
TEXTURE = imported(named=[(2800000, 28, "tiles")])


def test_files_are_in_the_database_or_named_by_their_content(tmp_path: Path) -> None:
    path = write_artifact_db(
        tmp_path,
        [
            Import("1234567890abcdef1234567890abcdef", 100000, MODEL),
            Import(guid(4), -7, TEXTURE, stored=True),
            Import(guid(5), 2800000, TEXTURE),
            Import(guid(5), 21300000, imported(named=[(21300000, 213, "x")])),
        ],
    )
    stored = {item.name for item in (tmp_path / "Library" / "Artifacts").rglob("*") if item.is_file()}
    assert len(stored) == 1
    with path.open("rb") as file:
        found = {(item.guid, item.main): item for item in read_artifacts(file, stored)}
    assert found["1234567890abcdef1234567890abcdef", 100000] == Artifact(
        "1234567890abcdef1234567890abcdef", 100000, is_only=True, files=(MODEL,), names=()
    )
    assert found[guid(4), -7] == Artifact(guid(4), -7, is_only=True, files=(), names=tuple(stored))
    assert [found[guid(5), number].is_only for number in (2800000, 21300000)] == [False, False]
    assert len(found) == 4


def test_a_database_of_another_version_is_said_to_be_one(tmp_path: Path) -> None:
    environment = lmdb.open(str(tmp_path / "DB"), subdir=False, max_dbs=2, lock=False, map_size=1 << 20)
    environment.open_db(b"GuidToVersionHashArray")
    environment.close()
    with (tmp_path / "DB").open("rb") as file, pytest.raises(FormatError, match="has no table CurrentRevisions"):
        list(read_artifacts(file, ()))
