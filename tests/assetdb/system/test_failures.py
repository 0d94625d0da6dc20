"""Errors of the system: facts about the tree, about a file's content, or only for now."""

from __future__ import annotations

import errno
import os
import stat
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ScanError
from assetdb.scan.walking.listing import unlisted
from assetdb.system import failures
from assetdb.system.failures import (
    excuse,
    excuse_content,
    is_gone,
    is_worth_retrying,
    message_with_advice,
    mode_of,
    raise_error,
    scan_error,
)
from tests.needs import needs_byte_names

if TYPE_CHECKING:
    from pathlib import Path

REMOUNT = "mount the file system again: its server has ended"


def error(number: int, name: str | None = None) -> OSError:
    return OSError(number, os.strerror(number), name)


@pytest.mark.parametrize("number", [errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.ELOOP])
def test_a_fact_about_the_tree_is_excused(number: int) -> None:
    excuse("Assets/a", error(number))
    excuse_content("Assets/a", error(number))


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOMEM, errno.ESTALE])
def test_what_may_pass_is_raised(number: int) -> None:
    for check in (excuse, excuse_content):
        with pytest.raises(ScanError) as raised:
            check(b"Assets/a", error(number))
        assert (raised.value.path, raised.value.errno) == ("Assets/a", number)


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.EINVAL])
def test_a_share_that_goes_away_empties_no_folder(number: int) -> None:
    found = error(number)
    assert is_gone(found) == (number == errno.ENOENT)
    found.winerror = 64  # type: ignore[attr-defined,unused-ignore]  # ERROR_NETNAME_DELETED, as Windows' Python has it
    assert not is_gone(found)
    for check in (excuse, excuse_content):
        with pytest.raises(ScanError, match="the server or the disk that it is on does not answer"):
            check("Assets/a", found)
    with pytest.raises(ScanError, match="Assets cannot be read just now"):
        unlisted(b"Assets", found)


def test_bad_content_is_a_fact_about_the_file_alone() -> None:
    excuse_content("Assets/a", error(errno.EIO))
    with pytest.raises(ScanError, match="check the disk, or the server that it is on"):
        excuse("Assets/a", error(errno.EIO))


def test_an_error_is_raised_as_it_is() -> None:
    given = error(errno.EIO)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)) as raised:
        raise_error(given)
    assert raised.value is given


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            error(errno.EBUSY),
            f"A/b cannot be read just now: {os.strerror(errno.EBUSY)}; nothing was changed (try again)",
        ),
        (OSError("odd"), "A/b cannot be read just now: odd; nothing was changed (try again)"),
        (
            error(errno.ENOTCONN),
            f"A/b cannot be read just now: {os.strerror(errno.ENOTCONN)}; nothing was changed ({REMOUNT})",
        ),
    ],
)
def test_a_failed_scan_has_place_reason_and_advice(given: OSError, message: str) -> None:
    found = scan_error(b"A/b", given)
    assert (str(found), found.path, found.errno) == (message, "A/b", given.errno or 0)


@needs_byte_names
def test_a_name_that_is_no_text_can_be_shown() -> None:
    assert scan_error(b"A/\xff", error(errno.EIO)).path == "A/?"


@pytest.fixture
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "_STEP", 0.0)
    monkeypatch.setattr(failures, "_failing", {})


@pytest.mark.usefixtures("_fast")
def test_bad_content_is_read_again_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    tries = []
    for moment in (100.0, 101.9, 102.0, 103.0):
        now[0] = moment
        tries.append(is_worth_retrying("Assets/a", error(errno.EIO)))
    assert tries == [True, True, False, False]
    assert not is_worth_retrying("Assets/b", error(errno.ENOENT))
    assert not is_worth_retrying("Assets/b", error(errno.EMFILE))


@pytest.mark.usefixtures("_fast")
def test_no_more_than_three_files_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [is_worth_retrying(f"Assets/{number}", error(errno.EIO)) for number in range(5)] == [True] * 3 + [False] * 2
    monkeypatch.setattr(failures, "_MOST_REMEMBERED", 5)
    assert not is_worth_retrying("Assets/1", error(errno.EIO))
    assert is_worth_retrying("Assets/new", error(errno.EIO))  # the others are forgotten
    assert list(failures._failing) == ["Assets/new"]


def test_the_mode_of_a_path(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    assert stat.S_ISREG(mode_of(str(tmp_path / "a")))
    assert stat.S_ISDIR(mode_of(str(tmp_path)))
    assert mode_of(str(tmp_path / "none")) == mode_of("a\0b") == mode_of(str(tmp_path / "a" / "b")) == 0


def test_a_mode_that_cannot_be_determined_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: str) -> os.stat_result:
        raise error(errno.EIO, path)

    monkeypatch.setattr(os, "stat", fail)
    with pytest.raises(ScanError):
        mode_of("Assets/a")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            error(errno.EMFILE, "a"),
            f"{os.strerror(errno.EMFILE)} (raise the limit of open files (ulimit -n), or close programs that use them)",
        ),
        (error(errno.ENOENT, "a"), f"a: {os.strerror(errno.ENOENT)}"),
        (error(errno.ENOENT), os.strerror(errno.ENOENT)),
        (OSError("odd"), "odd"),
    ],
)
def test_an_error_is_told_with_advice_or_its_file(given: OSError, said: str) -> None:
    assert message_with_advice(given) == said
