"""What a daemon does by itself, beside answering."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

from assetdb.checks import daemon_report
from assetdb.daemon.daemon import Daemon
from assetdb.errors import AssetdbError

if TYPE_CHECKING:
    import pytest


def test_what_is_wrong_is_found_out_again_where_an_update_made_it_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    host = SimpleNamespace(
        session=SimpleNamespace(opened=None),
        log=lambda what, **_: said.append(what),
        follow_findings=lambda: said.append("again"),
        _is_finding=True,
        _find_again=False,
        _findings=(),
        _take_findings=lambda found: Daemon._take_findings(host, found),  # type: ignore[arg-type]
        _server=SimpleNamespace(post=lambda work: work(), subscribers=[]),
    )

    def failing(_: object) -> NoReturn:
        host._find_again = True  # an update came
        raise AssetdbError("the file is being written")

    monkeypatch.setattr(daemon_report, "cached_report", failing)
    Daemon._find(host)  # type: ignore[arg-type]
    assert said == ["check failed", "again"]
    assert host._findings == ()
    assert not host._is_finding


def test_while_changes_wait_the_loop_counts_no_problems() -> None:
    begun: list[Any] = []
    host: Any = SimpleNamespace(
        session=SimpleNamespace(diagnostics=("one",)),
        _reconciler=SimpleNamespace(has_pending=True),
        _problems=None,
        _is_counting=False,
        _count_problems=lambda: Daemon._count_problems(host),
        _count_again=lambda: Daemon._count_again(host),
        _server=SimpleNamespace(start=lambda work, *, to_its_end: begun.append(work) if to_its_end else None),
    )
    assert Daemon._problem_count(host) == 1  # there is no number yet
    host.session.diagnostics = ("one", "two")
    assert [Daemon._problem_count(host) for _ in range(3)] == [1, 1, 1]
    assert len(begun) == 1
    begun.pop()()
    assert Daemon._problem_count(host) == 2
    host.session.diagnostics = ()
    host._reconciler.has_pending = False
    assert Daemon._problem_count(host) == 0
