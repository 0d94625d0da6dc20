"""What a daemon does by itself, beside answering."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, NoReturn

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
