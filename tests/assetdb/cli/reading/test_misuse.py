"""A word that is not one of the choices: the one that was probably meant."""

from __future__ import annotations

import pytest

from assetdb.cli import main
from assetdb.cli.commands import COMMANDS
from assetdb.cli.reading.application import declared_command

PATHS = [(row.name,) for row in COMMANDS if not row.family]
PATHS += [(row.name, own.name) for row in COMMANDS if row.family for own in row.rows()]
NEEDY = [path for path in PATHS if any(param.required for param in declared_command(path).params)]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("catalog inffo x", "'info'"),
        ("bundle verfy x", "'verify'"),
        ("unreal unusd", "'unused'"),
        ("catalog ls x --kind lables", "'labels'"),
        ("bake --projct x", "'--project'"),
        ("unreal ls --jsno", "'--json'"),
        ("unreal ls . --clas World", "'--class'"),
        ("unreal deps x --kind sotf", "'soft'"),
        ("unreal chunks x --tpye BulkData", "'--type'"),
        ("bundle info x --jsno", "'--json'"),
        ("catalog ls x --jsno", "'--json'"),
    ],
)
def test_what_was_meant(line: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(line.split())
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.endswith(f"; did you mean {meant}?\n")


@pytest.mark.parametrize(
    "line", ["catalog xyzzy x", "bake --xyzzy", "catalog ls", "unreal ls --xyzzy", "bundle get x -y"]
)
def test_nothing_like_it(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert "did you mean" not in capsys.readouterr().err


@pytest.mark.parametrize("number", ["-1", "0", "two", "1.5", ""])
def test_a_number_of_workers_is_positive(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["unreal", "ls", ".", "--workers", number]) == 2
    assert f"--workers: {number!r} is not a whole number from 1 on" in capsys.readouterr().err


@pytest.mark.parametrize("path", NEEDY, ids=" ".join)
def test_what_a_command_cannot_do_without_is_missed(path: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """An option, too: `bundle extract` without `--to` was a traceback."""
    needed = [param for param in declared_command(path).params if param.required]
    words: list[str] = []
    for param in sorted(needed, key=lambda param: param.param_type_name == "argument", reverse=True):
        assert main([*path, *words]) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"assetdb: error: {' '.join(path)}: "), error
        assert error.count("\n") == 1
        words += ["x"] if param.param_type_name == "argument" else [param.opts[0], "x"]
    assert ("bundle", "extract") in NEEDY
