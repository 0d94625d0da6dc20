"""``[merge]`` of ``assetdb.toml``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ConfigurationError
from assetdb.settings.configuration import read_configuration
from assetdb.settings.merging import sides_of

if TYPE_CHECKING:
    from pathlib import Path


def test_the_nearest_file_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Game/Assets").mkdir(parents=True)
    (tmp_path / "assetdb.toml").write_text('[merge]\nours = ["*"]\n')
    (tmp_path / "Game/assetdb.toml").write_text('[merge]\ntheirs = ["*.lighting"]\nours = ["Assets/Generated/**"]\n')
    assert sides_of("Game/Assets/a.lighting") == "theirs"
    assert sides_of("Game/Assets/Generated/x/y.asset") == "ours"
    assert sides_of("Game/Assets/a.unity") == ""
    assert sides_of("Other/a.unity") == "ours"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("merge = 1\n", "merge: a table is expected"),
        ('[merge]\nmine = ["*"]\n', "merge: no key 'mine'"),
        ('[merge]\nours = "*"\n', "merge: ours: a list of patterns is expected"),
        ("[merge]\nours = [1]\n", "merge: ours: a list of patterns is expected"),
        ('[merge]\nours = ["*.mat", "!"]\n', "merge: ours: '!' is not a valid pattern"),
        (f"[merge]\nours = {['*'] * 1001}\n", "merge: ours has 1,001 patterns"),
        ("[merge\n", "assetdb.toml: Expected ']'"),
    ],
)
def test_a_wrong_table_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assetdb.toml").write_text(text)
    with pytest.raises(ConfigurationError, match=r"assetdb\.toml: ") as raised:
        sides_of("Assets/a.unity")
    assert said in str(raised.value)
    assert str(raised.value).count("assetdb.toml: ") == 1
    with pytest.raises(ConfigurationError) as raised:
        read_configuration(str(tmp_path))
    assert said in str(raised.value)


def test_a_right_table_is_read_with_the_others(tmp_path: Path) -> None:
    (tmp_path / "assetdb.toml").write_text('exclude = ["a"]\n[merge]\nours = ["*"]\n')
    assert read_configuration(str(tmp_path)).exclude == ("a",)
