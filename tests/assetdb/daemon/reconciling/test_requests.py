"""Requests that wait for their cookies: each is answerable once, and no file stays."""

from __future__ import annotations

import os
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.observers import events
from assetdb.daemon.reconciling.requests import Requests, WaitingClient

if TYPE_CHECKING:
    from pathlib import Path


def request(since: float = 0.0, *, is_urgent: bool = True) -> WaitingClient:
    return WaitingClient(lambda: None, files=False, since=since, is_urgent=is_urgent)


def cookies(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.startswith(os.fsdecode(events.COOKIE)))


def test_a_request_is_answerable_when_its_cookie_was_seen(tmp_path: Path) -> None:
    requests = Requests(lambda: str(tmp_path))
    first, second = request(1.0), request(2.0)
    requests.wait(first)
    (cookie,) = cookies(tmp_path)
    requests.wait(second)
    assert requests.overdue_at() == 2.0
    assert not requests.saw(["of-somebody-else"])
    assert requests.saw([cookie])
    assert not requests.saw([cookie])  # once
    assert requests.take() == [first]
    assert requests.take() == []
    assert requests.overdue_at() == 3.0
    assert cookie not in cookies(tmp_path)
    assert len(cookies(tmp_path)) == 1


def test_a_request_without_haste_is_answerable_and_hastens_nothing(tmp_path: Path) -> None:
    requests = Requests(lambda: str(tmp_path))
    patient = request(is_urgent=False)
    requests.wait(patient)
    assert not requests.saw(cookies(tmp_path))
    assert requests.take() == [patient]
    both = [request(is_urgent=True), request(is_urgent=False)]
    for each in both:
        requests.wait(each)
    assert requests.saw(cookies(tmp_path))
    assert requests.take() == both


def test_lost_cookies_release_all_that_wait(tmp_path: Path) -> None:
    requests = Requests(lambda: str(tmp_path))
    waiting = [request(float(number)) for number in range(3)]
    for each in waiting:
        requests.wait(each)
    requests.release()
    assert requests.take() == waiting
    assert requests.overdue_at() is None
    assert cookies(tmp_path) == []


def test_a_request_waits_also_where_no_cookie_can_be_made(tmp_path: Path) -> None:
    requests = Requests(lambda: str(tmp_path / "gone"))
    one = request()
    with pytest.raises(FileNotFoundError):
        requests.wait(one)
    requests.release()
    assert requests.take() == [one]


def test_cookies_go_at_the_end_and_those_of_an_ended_process_at_the_start(tmp_path: Path) -> None:
    old = tmp_path / f"{os.fsdecode(events.COOKIE)}1-1"
    old.touch()
    (tmp_path / "asset-db.bin").touch()
    requests = Requests(lambda: str(tmp_path))
    requests.remove_old_cookies()
    assert os.listdir(tmp_path) == ["asset-db.bin"]
    requests.wait(request())
    requests.close()
    assert os.listdir(tmp_path) == ["asset-db.bin"]
    assert requests.take() == []


def test_whoever_follows_where_no_cookie_can_be_is_answered_at_once(tmp_path: Path) -> None:
    requests, answered = Requests(lambda: str(tmp_path / "gone")), []
    requests.follow(WaitingClient(lambda: answered.append(1), files=False, since=time.monotonic(), is_urgent=False))
    assert answered == [1]
    assert requests.overdue_at() is None


def test_a_cookie_that_does_not_appear_is_forgotten_if_nobody_must_know(tmp_path: Path) -> None:
    requests, answered = Requests(lambda: str(tmp_path)), []
    for number, since in enumerate((time.monotonic() - 60, time.monotonic())):
        done = partial(answered.append, number)
        requests.follow(WaitingClient(done, files=False, since=since, is_urgent=False))
        assert requests.overdue_at() is None  # nothing is scanned for it
    assert answered == [0]
    assert len(cookies(tmp_path)) == 1
