"""``assetdb merge``: exit codes, what is written, and what is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.cli.merging.guide import BASE, OURS, scene

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def merge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Merge:
    monkeypatch.chdir(tmp_path)
    return Merge(tmp_path)


class Merge:
    """Three files to merge."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, base: str | bytes, ours: str | bytes, theirs: str | bytes, *words: str) -> int:
        for name, text in (("base", base), ("ours", ours), ("theirs", theirs)):
            (self.folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
        return main(["merge", "base", "ours", "theirs", *words])


def test_a_clean_merge_goes_to_stdout_or_a_file(merge: Merge, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert merge(BASE, scene(scale=2), scene(3)) == 0
    assert capfdbinary.readouterr() == (scene(3, 2).encode(), b"")
    assert merge(BASE, scene(scale=2), scene(3), "--output", "ours") == 0
    assert (merge.folder / "ours").read_bytes() == scene(3, 2).encode()


def test_open_values_are_marked(merge: Merge, capsys: pytest.CaptureFixture[str]) -> None:
    assert merge(BASE, OURS, scene(3), "-o", "out", "--marker-size", "9", "--diff3") == 1
    lines = (merge.folder / "out").read_text().splitlines()
    assert lines[lines.index("<<<<<<<<< ours") :][:7] == [
        "<<<<<<<<< ours",
        "  m_LocalPosition: {x: 0, y: 2, z: 0}",
        "||||||||| base",
        "  m_LocalPosition: {x: 0, y: 1, z: 0}",
        "=========",
        "  m_LocalPosition: {x: 0, y: 3, z: 0}",
        ">>>>>>>>> theirs",
    ]
    assert capsys.readouterr().err.startswith("ours: Player / Body (Transform) m_LocalPosition: (0, 1, 0) -> ours")


def test_json_names_open_values_and_decisions(merge: Merge, capsys: pytest.CaptureFixture[str]) -> None:
    assert merge(BASE, OURS, scene(3), "--json", "--explain", "--path", "Assets/A.unity") == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == {
        "path": "Assets/A.unity",
        "number": 1,
        "reason": "both changed it",
        "file_id": 40,
        "name": "Player / Body (Transform) m_LocalPosition",
        "place": ["Transform", "m_LocalPosition"],
        "base": "  m_LocalPosition: {x: 0, y: 1, z: 0}\n",
        "ours": "  m_LocalPosition: {x: 0, y: 2, z: 0}\n",
        "theirs": "  m_LocalPosition: {x: 0, y: 3, z: 0}\n",
        "shown": {"base": "(0, 1, 0)", "ours": "(0, 2, 0)", "theirs": "(0, 3, 0)"},
    }
    assert {"ours alone", "map by key"} == {row["rule"] for row in rows[1:]}


@pytest.mark.parametrize(
    ("ours", "said"),
    [
        (b"\0binary", "ours is no text of Unity"),
        (b"", "is empty on one side"),
        (BASE.replace("\n", "\r\n", 3).encode(), "ours has line ends of two kinds"),
        (BASE.encode() + b"<<<<<<< HEAD\n", "ours has conflict markers already"),
    ],
)
def test_what_is_not_merged_changes_nothing(
    merge: Merge, capsys: pytest.CaptureFixture[str], ours: bytes, said: str
) -> None:
    assert merge(BASE, ours, scene(3), "--output", "ours", "--path", "Assets/A.unity") == 2
    assert (merge.folder / "ours").read_bytes() == ours
    assert f"Assets/A.unity: {said}" in capsys.readouterr().err


@pytest.mark.parametrize(("place", "name"), [(0, "the base"), (1, "ours"), (2, "theirs")])
def test_it_says_which_version_is_not_merged(
    merge: Merge, capsys: pytest.CaptureFixture[str], place: int, name: str
) -> None:
    versions: list[str | bytes] = [BASE, OURS, scene(3)]
    versions[place] = b"\0binary"
    assert merge(*versions, "--output", "out") == 2
    assert f"ours: {name} is no text of Unity: not merged" in capsys.readouterr().err


def test_wrong_numbers_of_files_and_files_that_are_absent(merge: Merge, capsys: pytest.CaptureFixture[str]) -> None:
    merge(BASE, OURS, OURS)
    assert main(["merge", "base", "ours"]) == 2
    assert main(["merge", "base", "ours", "absent"]) == 2
    assert "absent" in capsys.readouterr().err


def test_a_side_for_generated_files(merge: Merge) -> None:
    (merge.folder / "assetdb.toml").write_text('[merge]\ntheirs = ["Assets/Generated/**"]\n')
    assert merge(BASE, OURS, scene(3), "--output", "out", "--path", "Assets/Generated/A.unity") == 0
    assert (merge.folder / "out").read_text() == scene(3)
    assert merge(BASE, OURS, scene(3), "--output", "out", "--path", "Assets/A.unity") == 1
