"""Answers about several catalogs: what is printed of each, what of all, and the exit code."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli.catalog.answers import NoAnswerError, each_shown, report, size_text
from assetdb_formats.addressables.model import Problem
from assetdb_formats.binary import FormatError
from assetdb_formats.inputs import Input, file_input

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KB"), (1536, "1.5 KB"), (3 << 20, "3.0 MB"), (1 << 51, "2048.0 TB")],
)
def test_a_size_is_in_the_largest_unit_of_which_there_is_one(size: int, text: str) -> None:
    assert size_text(size) == text


@pytest.fixture
def shown(tmp_path: Path) -> Callable[..., int]:
    """Return a function that shows files by their first word: an answer, no answer, or damage."""

    def show(file: Input, answer: Callable[..., None]) -> None:
        with file.open() as stream:
            word = stream.read().decode()
        if word == "damaged":
            raise FormatError("is damaged", offset=0)
        if word == "none":
            raise NoAnswerError("nothing here")
        answer(os.path.basename(file.name), [{"word": word}], lambda where: sys.stdout.write(f"{where}{word}\n"))

    def run(*words: str, **more: Any) -> int:  # noqa: ANN401 - options
        for number, word in enumerate(words):
            (tmp_path / f"{number}.bin").write_text(word)
        paths = [str(tmp_path / f"{number}.bin") for number in range(len(words))]
        return each_shown(paths, lambda path: [file_input(path)], show, "catalog", **{"json": False, **more})

    return run


def test_one_answer_has_no_title(shown: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert shown("apple", titled=True) == 0
    assert capsys.readouterr().out == "apple\n"


def test_several_answers_are_titled_or_set_apart(shown: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert shown("apple", "pear", titled=True) == 0
    assert capsys.readouterr().out == "0.bin:\n0.bin: apple\n1.bin:\n1.bin: pear\n"
    assert shown("apple", "pear", titled=False) == 0
    assert capsys.readouterr().out == "0.bin: apple\n\n1.bin: pear\n"
    assert shown("apple", "pear", titled=True, json=True) == 0
    assert capsys.readouterr().out == ('{"catalog": "0.bin", "word": "apple"}\n{"catalog": "1.bin", "word": "pear"}\n')


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("apple", "none"), 0, 0),
        (("none",), 1, 1),
        (("none",) * 5, 1, 4),  # three, and how many more
        (("apple", "damaged"), 2, 1),
        (("none", "damaged"), 2, 1),
    ],
)
def test_the_exit_code_is_of_all_files(
    shown: Callable[..., int], capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, said: int
) -> None:
    assert shown(*words, titled=True) == code
    assert len(capsys.readouterr().err.splitlines()) == said


def test_problems_are_grouped_by_sort(capsys: pytest.CaptureFixture[str]) -> None:
    problems = [Problem("cut", "is cut")] * 12 + [Problem("odd", "is odd")]
    report(problems, 20, "a: ")
    lines = capsys.readouterr().err.splitlines()
    assert lines[10:] == ["a: cut: and 2 more", "a: odd: is odd", "a: and 7 more"]
    report(problems[:12], 20)
    assert capsys.readouterr().err.splitlines()[10:] == ["cut: and 10 more"]
