"""What a process beside a bake makes: the same files as without one, and none that is left over."""

from __future__ import annotations

import errno
import os
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known import cache
from assetdb.store import schema
from assetdb.store.background import Background
from assetdb.store.output import Output
from tests.needs import needs_fork
from tests.system.bake.test_incremental import synthetic_project

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

pytestmark = needs_fork

HEAD = 80  # of asset-db.seen, and its checksums: they tell of the database's own times
NEVER = 1 << 30


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute later: what a test has just written is old enough to be trusted."""
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + 60_000_000_000)


def bake(project: Path, out: Path, many_assets: int) -> assetdb.BakeResult:
    return assetdb.bake(project, out, workers=2, many_assets=many_assets)


def known(path: Path) -> tuple[object, ...]:
    found = cache.read(str(path))
    directories = [found.complete(item) for item in found.directories.values()]
    return found.settings, found.asset_count, found.problems, directories


def files_of(out: Path) -> tuple[object, ...]:
    seen = (out / "asset-db.seen").read_bytes()
    return (
        *((out / name).read_bytes() for name in ("asset-db.bin", "asset-db.index")),
        known(out / "asset-db.cache"),
        seen[16:32],
        seen[HEAD:-16],
    )


def test_both_ways_write_the_same(tmp_path: Path) -> None:
    project = synthetic_project(tmp_path, 6, 20)
    bake(project, tmp_path / "one", NEVER)
    bake(project, tmp_path / "other", 1)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")
    assert known(tmp_path / "one" / "asset-db.cache")[1] == 120
    again = bake(project, tmp_path / "other", 1)
    assert (again.unchanged, again.files_read) == (True, 0)
    assert not [name for name in os.listdir(tmp_path / "other") if name.endswith(".temporary")]


@pytest.mark.parametrize("edge", [119, 120, 121])
def test_from_so_many_assets_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edge: int) -> None:
    project = synthetic_project(tmp_path, 6, 20)
    finished = []
    finish = Background.finish_cache
    monkeypatch.setattr(Background, "finish_cache", lambda beside: finished.append(finish(beside)) or finished[-1])
    bake(project, tmp_path / "out", edge)
    assert finished == ([True] if edge <= 120 else [])


@pytest.mark.parametrize("edge", [1, NEVER])
def test_where_the_cache_cannot_be_written_beside_it_is_written_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edge: int
) -> None:
    project = synthetic_project(tmp_path, 6, 20)
    bake(project, tmp_path / "one", NEVER)
    parent, begin = os.getpid(), Output.begin_cache

    def full(output: Output, parts: Sequence[bytes], is_wanted: Callable[[], bool] = lambda: True) -> bool:
        if os.getpid() == parent:
            return begin(output, parts, is_wanted)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Output, "begin_cache", full)
    bake(project, tmp_path / "other", edge)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


def test_a_process_that_is_killed_while_it_writes_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = synthetic_project(tmp_path, 6, 20)
    bake(project, tmp_path / "one", NEVER)
    parent = os.getpid()
    begin = Output.begin_cache

    def killed(output: Output, parts: Sequence[bytes], is_wanted: Callable[[], bool] = lambda: True) -> bool:
        if os.getpid() == parent:
            return begin(output, parts, is_wanted)
        begin(output, parts[:1])
        os._exit(1)

    monkeypatch.setattr(Output, "begin_cache", killed)
    bake(project, tmp_path / "other", 1)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")
    assert not [name for name in os.listdir(tmp_path / "other") if name.endswith(".temporary")]


def test_a_process_that_is_killed_before_it_has_the_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = synthetic_project(tmp_path, 6, 20)
    bake(project, tmp_path / "one", NEVER)
    parent = os.getpid()
    in_order = schema.in_order
    monkeypatch.setattr(schema, "in_order", lambda guids: in_order(guids) if os.getpid() == parent else os._exit(1))
    bake(project, tmp_path / "other", 1)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


def test_where_assets_share_a_guid_both_ways_write_the_same(tmp_path: Path) -> None:
    project = synthetic_project(tmp_path, 6, 20)
    metas = sorted(project.rglob("*.mat.meta"))
    metas[0].write_bytes(metas[1].read_bytes())
    for out, many_assets in (("one", NEVER), ("other", 1)):
        result = assetdb.bake(project, tmp_path / out, workers=2, many_assets=many_assets, keep_going=True)
        assert [found.code for found in result.diagnostics].count("duplicate-guid") == 2
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


def test_a_cache_that_is_gone_before_it_is_finished_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = synthetic_project(tmp_path, 6, 20)
    bake(project, tmp_path / "one", NEVER)
    finish = Output.finish_cache

    dropped = []

    def gone(output: Output) -> bool:
        if not dropped:
            dropped.append(output.drop_cache())
        return finish(output)

    monkeypatch.setattr(Output, "finish_cache", gone)
    bake(project, tmp_path / "other", 1)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


def test_a_bake_that_fails_or_only_checks_leaves_no_file(tmp_path: Path) -> None:
    project = synthetic_project(tmp_path, 6, 20)
    out = tmp_path / "out"
    bake(project, out, 1)
    before = sorted(os.listdir(out))
    result = assetdb.bake(project, out, workers=2, many_assets=1, check=True)
    assert not result.written
    metas = sorted(project.rglob("*.mat.meta"))
    metas[0].write_bytes(metas[1].read_bytes())
    with pytest.raises(assetdb.BakeError):
        bake(project, out, 1)
    assert sorted(os.listdir(out)) == before


def test_a_cache_belongs_to_other_files_by_its_beginning_alone() -> None:
    directories = [DirectoryFacts(b"Assets", 5, files=b"a.mat/a.mat.meta", identities=bytes(16), pair_count=1)]
    parts = [b"".join(cache.encode(b"s", files, 1, b"", directories)) for files in (cache.NO_FILES, (1, -2, 3, -4))]
    size = cache.PREFIX_SIZE
    assert cache.belonging_to((1, -2, 3, -4), parts[0][:size]) + parts[0][size:] == parts[1]
    for damaged in (b"", parts[0][: size - 1], parts[0][:8] + b"!" + parts[0][9:size]):
        with pytest.raises(ValueError, match="begins"):
            cache.belonging_to(cache.NO_FILES, damaged)
