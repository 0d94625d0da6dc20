"""How many clients a limit of descriptors leaves room for."""

from __future__ import annotations

import os

import pytest

from assetdb.daemon import descriptors
from assetdb.daemon.descriptors import clients_allowed, require_descriptors
from tests.needs import needs_limits


@pytest.mark.parametrize(
    ("limit", "used", "most", "allowed"),
    [
        (None, 10, 500, 500),
        (1024, 10, 500, 500),
        (1024, 10, 5000, 950),
        (256, 10, 500, 182),
        (192, 10, 500, 118),
        (90, 10, 500, 50),  # of very few, a third is kept
        (20, 30, 500, 1),
    ],
)
def test_clients_get_what_files_in_use_and_a_reserve_leave(
    monkeypatch: pytest.MonkeyPatch, limit: int | None, used: int, most: int, allowed: int
) -> None:
    monkeypatch.setattr(descriptors, "_limit", lambda: limit)
    monkeypatch.setattr(descriptors, "_open", lambda: used)
    assert clients_allowed(most) == allowed


@needs_limits
def test_the_limit_and_the_open_files_are_those_of_the_process() -> None:
    import resource  # noqa: PLC0415 - absent on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lower = min(soft, 200) if soft > 0 else 200
    resource.setrlimit(resource.RLIMIT_NOFILE, (lower, hard))
    try:
        before = clients_allowed(10_000)
        opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(5)]
        try:
            assert clients_allowed(10_000) == before - 5
        finally:
            for descriptor in opened:
                os.close(descriptor)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(("left", "is_enough"), [(13, True), (12, False)])
def test_thirteen_descriptors_are_needed_to_answer_and_all_are_closed_again(
    monkeypatch: pytest.MonkeyPatch, left: int, *, is_enough: bool
) -> None:
    opened: list[int] = []
    closed: list[int] = []

    def opening(_path: str, _flags: int) -> int:
        if len(opened) == left:
            raise OSError(24, "Too many open files")
        opened.append(len(opened))
        return opened[-1]

    monkeypatch.setattr(os, "open", opening)
    monkeypatch.setattr(os, "close", closed.append)
    if is_enough:
        require_descriptors()
    else:
        with pytest.raises(OSError, match="Too many open files"):
            require_descriptors()
    monkeypatch.undo()
    assert closed == opened
    assert len(opened) == left
