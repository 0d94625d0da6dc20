"""The autostart of a daemon: where it happens, and the command line that starts."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.client import autostart
from assetdb.client.autostart import autostart_daemon, own_program
from assetdb.version import VERSION
from tests.system.watch.daemons import wait_for

if TYPE_CHECKING:
    from pathlib import Path

TELL = """
import json, os, sys
with open(sys.argv[1] + ".new", "w") as file:
    json.dump([sys.argv[2:], sys.stdin.read(), os.isatty(1), os.isatty(2)], file)
os.replace(sys.argv[1] + ".new", sys.argv[1])
print("x" * 100)
print("x" * 100, file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("ci", "starts"), [(None, True), ("", True), ("0", True), ("False", True), ("true", False), ("1", False)]
)
def test_a_daemon_starts_in_the_background_but_on_ci(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    ci: str | None,
    *,
    starts: bool,
) -> None:
    told = tmp_path / "told"
    monkeypatch.setattr(autostart, "own_program", lambda: [sys.executable, "-c", TELL, str(told)])
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "assetdb").mkdir()
    (tmp_path / "assetdb" / "config.toml").write_text("idle-timeout = 60.5\n")
    if ci is None:
        monkeypatch.delenv("CI", raising=False)
    else:
        monkeypatch.setenv("CI", ci)
    assert autostart_daemon("/p", "/o") is starts
    if starts:
        wait_for(told.exists)
        expected = ["watch", "--detach", "--idle-timeout", "60.5", "--project", "/p", "--out-dir", "/o"]
        is_device = sys.platform == "win32"  # NUL counts as a terminal there
        assert json.loads(told.read_text()) == [expected, "", is_device, is_device]
    assert capfdbinary.readouterr() == (b"", b"")


def test_this_program_starts_without_modules_of_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(9)")
    (tmp_path / "assetdb.py").write_text("raise SystemExit(9)")
    done = subprocess.run([*own_program(), "--version"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout.decode().split()[1]) == (0, VERSION)
