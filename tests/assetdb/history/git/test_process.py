"""Git as a process: its output, its errors in one line, and its end in time."""

from __future__ import annotations

import io
import os
import subprocess
import threading
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import HistoryError
from assetdb.history.git.process import MOST_MESSAGE, Blob, Failure, GitPlace, running, together
from tests.assetdb.history.git_project import git
from tests.needs import hide_git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WHERE = "git fsck says what is damaged"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> GitPlace:
    root = tmp_path_factory.mktemp("repository")
    git(root, "init", "-q")
    return GitPlace(str(root), (), {})


def test_the_output_is_read_and_input_options_and_variables_are_given(asked: GitPlace) -> None:
    place = GitPlace(
        asked.root,
        ("-c", "own.name=text"),
        {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "a.b", "GIT_CONFIG_VALUE_0": "c"},
    )
    for name, value in (("own.name", b"text\n"), ("a.b", b"c\n")):
        with running(place, ("config", name), subprocess.DEVNULL, 60) as (output, _):
            assert output.read() == value
    with open(f"{asked.root}/file", "wb") as file:
        file.write(b"abc")
    with (
        open(f"{asked.root}/file", "rb") as given,
        running(asked, ("hash-object", "--stdin"), given, 60) as (output, _),
    ):
        assert output.read() == b"f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f\n"


def test_exit_codes_that_are_accepted_are_no_failure(asked: GitPlace) -> None:
    words = ("config", "no.such")
    with running(asked, words, subprocess.DEVNULL, 60, accept=(0, 1)) as (output, _):
        assert output.read() == b""
    with pytest.raises(HistoryError) as caught, running(asked, words, subprocess.DEVNULL, 60):
        pass
    assert str(caught.value) == f"git config in {asked.root}: ends with 1"


def test_a_failure_has_gits_message_in_one_line(asked: GitPlace, tmp_path: Path) -> None:
    with pytest.raises(HistoryError) as caught, running(asked, ("cat-file", "-t", "none"), subprocess.DEVNULL, 60):
        pass
    assert str(caught.value) == f"git cat-file in {asked.root}: fatal: Not a valid object name none"
    place = GitPlace(str(tmp_path), (), {})
    with pytest.raises(HistoryError) as caught, running(place, ("status",), subprocess.DEVNULL, 60):
        pass
    assert str(caught.value) == f"{tmp_path} is not in a git repository (run git init to create one)"


def test_only_the_beginning_of_a_long_message_is_told(asked: GitPlace) -> None:
    words = ("cat-file", "-t", "x" * 2000)
    with pytest.raises(HistoryError) as caught, running(asked, words, subprocess.DEVNULL, 60):
        pass
    assert len(str(caught.value)) == len(f"git cat-file in {asked.root}: ") + MOST_MESSAGE


def test_without_git_the_advice_is_to_install_it(asked: GitPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_git(monkeypatch, asked.root)
    with pytest.raises(HistoryError) as caught, running(asked, ("status",), subprocess.DEVNULL, 60):
        pass
    assert str(caught.value) == "git is not here, or not on PATH: install it"


def test_a_word_that_no_process_can_have_is_a_failure(asked: GitPlace) -> None:
    with (
        pytest.raises(HistoryError, match=r"embedded null (byte|character)"),
        running(asked, ("a\0b",), subprocess.DEVNULL, 60),
    ):
        pass


@pytest.fixture
def silent() -> Iterator[int]:
    """An input that never comes."""
    reading, writing = os.pipe()
    yield reading
    os.close(reading)
    os.close(writing)


def test_a_command_that_takes_too_long_is_ended(asked: GitPlace, silent: int) -> None:
    process = ("cat-file", "--batch")
    with pytest.raises(HistoryError) as caught, running(asked, process, silent, 0.05) as (output, _):
        assert output.read() == b""
    assert str(caught.value) == f"git cat-file in {asked.root}: takes longer than 0 s"


def test_an_error_of_the_reader_ends_the_command(asked: GitPlace, silent: int) -> None:
    with pytest.raises(ZeroDivisionError), running(asked, ("cat-file", "--batch"), silent, 60):
        raise ZeroDivisionError


def test_a_failure_is_made_of_the_word_and_a_message() -> None:
    assert str(Failure("here", "log")("two\n  lines ")) == "git log in here: two lines"


# --- blobs


def test_a_blob_is_read_to_its_end_and_no_further() -> None:
    source = io.BytesIO(b"abcdef")
    blob = Blob(source, 4)
    assert (blob.size, b"".join(blob.pieces()), source.read()) == (4, b"abcd", b"ef")
    assert list(blob.pieces()) == []


def test_a_large_blob_comes_in_pieces_and_the_rest_of_one_can_be_skipped() -> None:
    size = (1 << 20) + 5
    blob = Blob(io.BytesIO(b"x" * (size + 1)), size)
    assert list(map(len, blob.pieces())) == [1 << 20, 5]
    source = io.BytesIO(b"x" * size + b"\n")
    blob = Blob(source, size)
    next(blob.pieces())
    blob.skip()
    assert source.read() == b"\n"


def test_a_blob_that_ends_early_is_damage() -> None:
    blob = Blob(io.BytesIO(b"abc"), 4)
    with pytest.raises(HistoryError, match=WHERE):
        blob.skip()


# --- two at once


def test_two_functions_run_at_once_and_both_results_are_returned() -> None:
    barrier = threading.Barrier(2, timeout=10)
    assert together(lambda: (barrier.wait() < 2, 1), lambda: (barrier.wait() < 2, "two")) == ((True, 1), (True, "two"))


@pytest.mark.parametrize("is_first", [True, False])
def test_a_failure_of_either_is_raised_after_both_have_ended(*, is_first: bool) -> None:
    ended: list[str] = []

    def failing() -> None:
        raise HistoryError("failed")

    def other() -> None:
        ended.append("other")

    with pytest.raises(HistoryError, match="failed"):
        together(failing, other) if is_first else together(other, failing)
    assert ended == ["other"]
