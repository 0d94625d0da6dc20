"""Scripts can be imported, say how they are started, and hold their cases to bounds."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path

import pytest

from scripts.arguments import Given, script
from scripts.fuzz.running import FLOOR, Bounds, TooLargeError, run
from tests.needs import needs_limits

CHECKOUT = Path(__file__).resolve().parents[2]
FILES = sorted(path for path in (CHECKOUT / "scripts").rglob("*.py") if "release" not in path.parts)
MODULES = [".".join(path.relative_to(CHECKOUT).with_suffix("").parts) for path in FILES]

_NEEDS = {"scripts.fuzz.siege": needs_limits}


@pytest.mark.parametrize("name", [pytest.param(name, marks=_NEEDS.get(name, ())) for name in MODULES])
def test_a_script_says_how_it_is_started(name: str) -> None:
    module = importlib.import_module(name)
    assert not hasattr(module, "main") or f"-m {name}" in str(module.__doc__)


@pytest.mark.parametrize("path", FILES, ids=MODULES)
def test_a_script_is_started_by_its_last_function(path: Path) -> None:
    statements = ast.parse(path.read_text("utf-8")).body
    if any(isinstance(each, ast.FunctionDef) and each.name == "main" for each in statements):
        last = statements[-1]
        assert isinstance(last, ast.FunctionDef | ast.If)  # what is defined behind it is not there yet when it starts


def test_a_script_reads_its_command_line_and_fails_where_it_returns_true(monkeypatch: pytest.MonkeyPatch) -> None:
    def main(given: Given) -> bool:
        return given.places == [Path("x")] and given.count == 3 and given.names == ["a", "b"] and given.kind == "one"

    monkeypatch.setattr(sys, "argv", ["script", "x", "--count", "3", "--names", "a", "--names", "b"])
    declared = script("", "places+", count=1, names=[], kind=("one", "two"))
    assert declared(main) is main
    main.__module__ = "__main__"
    with pytest.raises(SystemExit) as ended:
        declared(main)
    assert ended.value.code is True


@pytest.mark.parametrize("place", ["project", "projects+"])
def test_a_folder_that_is_no_project_is_refused_in_one_line(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def main(given: Given) -> None:
        raise AssertionError(given)

    main.__module__ = "__main__"
    monkeypatch.setattr(sys, "argv", ["script", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        script("", place)(main)
    assert ended.value.code == f"{tmp_path} is not a Unity project: it has no Assets/ and no ProjectSettings/"


def test_what_came_of_the_cases_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    counts = run([b"", b"a", b"b"], lambda case: "empty" if not case else case == b"a", repr, every=2)
    assert counts == {"empty": 1, "clean": 1, "broken": 1}
    assert "2: 1 clean, 1 empty, slowest " in capsys.readouterr().out


def test_a_case_out_of_proportion_is_kept_and_ends_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    def attempt(case: bytes) -> bool:
        return bool(bytearray(8 * len(case)))

    cases = [b"x" * FLOOR] * 50  # the last of them is traced
    run(cases, attempt, repr, every=50, bounds=Bounds(multiple=8.0))
    with pytest.raises(TooLargeError):
        run(cases, attempt, lambda _: "here", every=50, bounds=Bounds(multiple=4.0))
    assert capsys.readouterr().out.endswith("case 50 is in here\n")
