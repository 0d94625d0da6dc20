"""The remembered index: the same answers from it, what changed is read again, and damage is no error."""

from __future__ import annotations

import os
import random
import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.builds import opening
from assetdb.builds.parts.index import index_path, load_index, pack, save_index, unpack
from tests.assetdb.builds import making

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.builds.parts.facts import PartFacts
    from assetdb.builds.parts.finding import Part


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note which parts are read."""
    found: list[str] = []
    original = opening.read_facts

    def noting(part: Part, *, contents: bool = True) -> PartFacts:
        found.append(part.name)
        return original(part, contents=contents)

    monkeypatch.setattr(opening, "read_facts", noting)
    return found


def aged(folder: Path) -> Path:
    """Give all files a time that cannot be of this moment: a younger file is never trusted."""
    for path in folder.rglob("*"):
        os.utime(path, ns=(10**18, 10**18))
    return folder


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the clock say that all files are old: no program can set a ctime."""
    monkeypatch.setattr(opening.time, "time_ns", lambda: 4 * 10**18)


@pytest.mark.usefixtures("trusted")
def test_a_second_start_reads_nothing_and_says_the_same(tmp_path: Path, reads: list[str]) -> None:
    folder = aged(making.player(tmp_path / "Game_Data"))
    first = opening.open_build(folder)
    assert len(reads) == len(first.parts)
    reads.clear()
    second = opening.open_build(folder)
    assert reads == []
    assert second.facts == first.facts
    assert list(second.objects()) == list(first.objects())


@pytest.mark.usefixtures("trusted")
def test_only_what_changed_is_read_again(tmp_path: Path, reads: list[str]) -> None:
    folder = aged(making.player(tmp_path / "Game_Data"))
    opening.open_build(folder)
    reads.clear()
    data = (folder / "level0").read_bytes()
    (folder / "level0").write_bytes(data.replace(b"Tree", b"Bush"))
    os.utime(folder / "level0", ns=(2 * 10**18, 2 * 10**18))
    build = opening.open_build(folder)
    assert reads == ["level0"]
    assert "Bush" in {item.name for item in build.objects()}


def test_a_file_as_young_as_the_look_at_it_is_not_trusted(
    tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = making.player(tmp_path / "Game_Data")
    now = (folder / "level0").stat().st_ctime_ns  # a loaded machine looks at it later
    monkeypatch.setattr(opening.time, "time_ns", lambda: now)
    opening.open_build(folder)
    opening.open_build(folder)
    assert reads.count("level0") == 2


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "other"])
def test_a_damaged_index_is_an_empty_one(tmp_path: Path, reads: list[str], damage: str) -> None:
    folder = aged(making.player(tmp_path / "Game_Data"))
    first = opening.open_build(folder)
    place = index_path([str(folder)])
    with open(place, "rb") as file:
        data = bytearray(file.read())
    if damage == "flipped":
        data[len(data) // 2] ^= 1
    with open(place, "wb") as file:
        file.write({"cut": data[:-9], "flipped": data, "empty": b"", "other": b"x" * 99}[damage])
    reads.clear()
    assert opening.open_build(folder).facts == first.facts
    assert len(reads) == (1 if damage == "flipped" else len(first.parts))


@pytest.mark.usefixtures("trusted")
def test_an_index_that_is_wrong_under_a_right_checksum_is_read_anew_or_makes_some_answer(tmp_path: Path) -> None:
    folder = aged(making.player(tmp_path / "Game_Data"))
    first = opening.open_build(folder)
    place = index_path([str(folder)])
    known = load_index(place)
    choice = random.Random(5)
    same = 0
    for _ in range(300):
        name = choice.choice(list(known))
        identity, facts = known[name][0], bytearray(known[name][1])
        at = choice.randrange(len(facts) - 4)
        facts[at : at + 4] = choice.choice((0, 1, 1000, 0x7FFFFFFF, 0xFFFFFFFF)).to_bytes(4, "little")
        save_index(place, known | {name: (identity, bytes(facts))})
        build = opening.open_build(folder, workers=1)
        assert [found.number for found in build.objects()] == list(range(len(first)))
        assert len(build.targets) == build.reference_starts[-1]
        same += build.facts == first.facts
    assert same > 100


def test_nothing_is_remembered_where_nobody_wants_it(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    opening.open_build(folder, remember=False)
    assert not os.path.exists(index_path([str(folder)]))


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert len(opening.open_build(making.player(tmp_path / "Game_Data")))


def test_only_so_many_indexes_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assetdb.builds.parts.index._MOST_KEPT", 3)
    for number in range(6):
        save_index(str(tmp_path / f"{number}.index"), {"a": ("b", b"c")})
        os.utime(tmp_path / f"{number}.index", ns=(number, number))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["3.index", "4.index", "5.index"]
    assert load_index(str(tmp_path / "5.index")) == {"a": ("b", b"c")}


def test_facts_are_the_same_after_packing(tmp_path: Path) -> None:
    for facts in opening.open_build(making.player(tmp_path / "Game_Data"), remember=False).facts:
        assert unpack(pack(facts)) == facts


def test_several_processes_read_the_same(tmp_path: Path) -> None:
    folder = making.player(tmp_path / "Game_Data")
    shutil.copytree(folder, tmp_path / "Game_Data/more")

    def facts(workers: int) -> list[PartFacts]:
        """Return the facts but for whether the DLL was old enough to be trusted."""
        build = opening.open_build(folder, remember=False, workers=workers)
        return [known._replace(scripts_key="") for known in build.facts]

    assert facts(3) == facts(1)


@pytest.mark.usefixtures("trusted")
def test_tables_alone_are_remembered_until_somebody_wants_more(tmp_path: Path, reads: list[str]) -> None:
    folder = aged(making.player(tmp_path / "Game_Data"))
    tables = opening.open_build(folder, contents=False)
    whole = opening.open_build(folder)
    assert reads.count("level0") == 2
    assert [tables.path_ids, tables.class_ids, tables.sizes] == [whole.path_ids, whole.class_ids, whole.sizes]
    assert (tables.players, tables.containers) == (whole.players, whole.containers)
    assert not any(map(tables.name, range(len(tables))))
    opening.open_build(folder, contents=False)
    assert reads.count("level0") == 2
