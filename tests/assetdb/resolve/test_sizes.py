"""Files that are not read: too large ones, links out of the project, and what is no file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.packages.location import Location
from assetdb.resolve import sizes
from assetdb.resolve.sizes import LINK_OUT, is_too_large, refusal, why_unread
from tests.needs import needs_links, needs_pipes

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("size", "large"), [(0, False), (10, False), (11, True)])
def test_a_file_is_too_large_beyond_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, *, large: bool
) -> None:
    monkeypatch.setattr(sizes, "LARGEST", 10)
    file = tmp_path / "a.prefab"
    file.write_bytes(bytes(size))
    assert is_too_large(str(file)) is large
    assert refusal(Location("Assets/a.prefab", str(file)), str(tmp_path)) == ("too-large" if large else "")
    assert not is_too_large(str(tmp_path / "none"))
    assert refusal(Location("Assets/a.prefab", ""), str(tmp_path)) == ""


@needs_links
def test_a_link_out_of_the_project_is_refused_but_in_a_package(tmp_path: Path) -> None:
    (tmp_path / "Game").mkdir()
    (tmp_path / "outside").write_text("secret")
    (tmp_path / "Game/inside").write_text("own")
    for name, target in (("out", "outside"), ("in", "Game/inside")):
        (tmp_path / "Game" / name).symlink_to(tmp_path / target)
    root = str(tmp_path / "Game")
    assert refusal(Location("Assets/a", f"{root}/out"), root) == LINK_OUT
    assert refusal(Location("Assets/a", f"{root}/out", package="com.acme"), root) == ""
    assert refusal(Location("Assets/a", f"{root}/in"), root) == ""


@needs_pipes
def test_what_could_not_be_read_has_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "LARGEST_ASSET", 10)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(bytes(11))
    (tmp_path / "small").write_bytes(bytes(10))
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    expected = {
        "none": "target-absent",
        "pipe": "target-absent",
        "large": "too-large",
        "small": "unreadable",
        "loop": "unreadable",
    }
    assert {name: why_unread(str(tmp_path / name)) for name in expected} == expected
