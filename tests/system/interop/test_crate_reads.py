"""The Rust crate reads what we write, and we read what it writes."""

from pathlib import Path

import pytest

import assetdb
from assetdb.store.schema import read_entries
from scripts.fixture import GOLDEN
from tests.system.interop import crate

DATABASE = GOLDEN / "asset-db.bin"
QUICK = ("UnityPlayground", "Pinpoint", "PhysicsExamples2D/Primer")


def test_the_crate_reads_the_fixture() -> None:
    ours = list(read_entries(DATABASE.read_bytes()))
    assert len(ours) > 70
    assert crate.entries(DATABASE) == ours


def both_ways(project: Path, out: Path) -> None:
    database = Path(assetdb.bake(project, out / "ours").database)
    ours = list(read_entries(database.read_bytes()))
    assert ours
    assert crate.entries(database) == ours
    refused = crate.bake(project, out / "theirs")
    if refused:  # where directories cannot tell names apart: HDRPSamples
        assert "HDRPSamples" in str(project), refused
        return
    path = out / "theirs" / "asset-db.bin"
    theirs = crate.entries(path)
    assert list(read_entries(path.read_bytes())) == theirs
    with assetdb.open_database(path) as opened:
        assert len(opened) == len(theirs)
        for asset in theirs[:: len(theirs) // 50 + 1]:
            assert opened.by_guid(asset.guid) == asset


@pytest.mark.corpus(*(f"unity/{name.partition('/')[0]}" for name in QUICK))
@pytest.mark.parametrize("name", QUICK)
def test_both_ways_on_small_projects(corpus: Path, tmp_path: Path, name: str) -> None:
    both_ways(corpus / "unity" / name, tmp_path)


@pytest.mark.long
@pytest.mark.corpus(*crate.CORPORA)
@pytest.mark.parametrize("name", [name for name in crate.PROJECTS if name not in QUICK])
def test_both_ways_on_all_projects(corpus: Path, tmp_path: Path, name: str) -> None:
    both_ways(corpus / "unity" / name, tmp_path)


def test_the_crate_refuses_what_we_refuse(tmp_path: Path) -> None:
    path = tmp_path / "asset-db.bin"
    path.write_bytes(b"UADBIN__\5\0\0")
    with pytest.raises(assetdb.DatabaseError, match="schema version 5"):
        assetdb.open_database(path)
    with pytest.raises(Exception, match="exit status 1"):
        crate.entries(path)
