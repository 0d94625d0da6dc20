"""A word that is none of the choices: what was probably meant."""

from __future__ import annotations

import pytest

from assetdb.cli import main


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("catalog inffo x", "'info'"),
        ("bundle verfy x", "'verify'"),
        ("unreal unusd", "'unused'"),
        ("catalog ls x lables", "'labels'"),
        ("bake --projct x", "'--project'"),
    ],
)
def test_what_was_meant(line: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(line.split())
    out, err = capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    assert err.endswith(f"; did you mean {meant}?\n")


@pytest.mark.parametrize("line", ["catalog xyzzy x", "bake --xyzzy", "catalog ls"])
def test_nothing_like_it(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(line.split())
    assert stopped.value.code == 2
    assert "did you mean" not in capsys.readouterr().err
