"""Paths get the spelling that the disk lists, where the disk ignores case."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assetdb.query.selecting.spelling import as_listed
from tests.needs import ignores_case

COMPOSED, DECOMPOSED = "\u00e9", "e\u0301"


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / "Assets/Art").mkdir(parents=True)
    for name in ("x.txt", f"caf{COMPOSED}.png", "123"):
        (tmp_path / "Assets/Art" / name).write_text(name)
    return str(tmp_path)


@pytest.fixture
def folding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let names be found in any case and normal form, also with dots at the end, as on macOS and Windows."""
    if ignores_case(tmp_path):
        return
    lstat, listdir = os.lstat, os.listdir
    from unicodedata import normalize  # noqa: PLC0415 - beside its use

    def form(name: str) -> str:
        return normalize("NFC", name).lower().rstrip(". ")

    def on_disk(path: str) -> str:
        folder, name = os.path.split(path)
        if folder == path:
            return path
        folder = on_disk(folder)
        names = listdir(folder) if os.path.isdir(folder) else []
        return os.path.join(folder, next((listed for listed in names if form(listed) == form(name)), name))

    monkeypatch.setattr(os, "lstat", lambda path: lstat(on_disk(os.fspath(path))))


@pytest.mark.usefixtures("folding")
@pytest.mark.parametrize(
    ("word", "listed"),
    [
        ("Assets/Art/x.txt", "Assets/Art/x.txt"),
        ("assets/ART/X.TXT", "Assets/Art/x.txt"),
        ("assets", "Assets"),
        ("assets/art/123", "Assets/Art/123"),
        ("assets/none/X.TXT", "Assets/none/X.TXT"),
        (f"Assets/Art/CAF{COMPOSED.upper()}.png", f"Assets/Art/caf{COMPOSED}.png"),
    ],
)
def test_a_path_in_another_case_is_spelled_as_listed(root: str, word: str, listed: str) -> None:
    found = as_listed(root, os.path.join(root, word.replace("/", os.sep)))
    assert found == os.path.join(root, listed.replace("/", os.sep))


@pytest.mark.usefixtures("folding")
def test_a_last_dot_is_not_part_of_the_name_where_the_disk_drops_it(root: str) -> None:
    if os.path.lexists(os.path.join(root, "Assets", "Art", "x.txt.")):  # not on macOS
        assert as_listed(root, os.path.join(root, "Assets", "Art", "x.txt.")) == os.path.join(
            root, "Assets", "Art", "x.txt"
        )


def test_on_a_disk_that_tells_cases_apart_nothing_changes(root: str) -> None:
    if ignores_case(Path(root)):
        pytest.skip("this disk ignores case")
    (Path(root) / "Assets/ART").mkdir()
    (Path(root) / "Assets/ART/X.TXT").write_text("another file")
    for word in ("Assets/ART/X.TXT", "Assets/Art/x.txt", "assets/Art/x.txt", f"Assets/Art/caf{DECOMPOSED}.png"):
        assert as_listed(root, os.path.join(root, word)) == os.path.join(root, word)


def test_two_names_of_one_file_stay_apart(root: str) -> None:
    first = Path(root) / "Assets/Art/x.txt"
    if ignores_case(Path(root)):
        pytest.skip("this disk ignores case")
    os.link(first, first.with_name("X.TXT"))
    assert as_listed(root, str(first.with_name("X.TXT"))) == str(first.with_name("X.TXT"))


def test_a_path_elsewhere_is_left_alone(root: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = str(tmp_path_factory.mktemp("elsewhere"))
    assert as_listed(root, other) == other
