"""What every command shares of the terminal: any encoding, closed streams, one convention for JSON."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from assetdb import cli
from assetdb.cli import terminal
from tests.needs import needs_scripts
from tests.system.graph.project import add, write_project

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "a\u202eb\x9bc\x7fd\x1be\udcfff\u2028g\u200fh\U0001f600é"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_project(tmp_path_factory.mktemp("terminal") / "Project")
    add(folder, "Assets/Grün → 木.mat", "%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: x\n")
    assert run(folder, "bake", "--quiet").returncode == 0
    return folder


def run(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "assetdb", *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii:strict"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    ],
)
@pytest.mark.parametrize("words", [("find", "Grün"), ("find", "Grün", "--json"), ("dump",), ("name", "Grün → 木")])
def test_any_encoding(project: Path, environment: dict[str, str], words: tuple[str, ...]) -> None:
    done = run(project, *words, **environment)
    assert (done.returncode, done.stderr) == (0, b"")
    if "--json" in words:
        assert json.loads(done.stdout)["path"] == "Assets/Grün → 木.mat"
        assert "木".encode() in done.stdout
    elif os.name == "nt" and "PYTHONIOENCODING" not in environment:
        assert "木".encode() in done.stdout  # no locale decides there
    else:
        assert b"\\u6728" in done.stdout


def test_a_piped_path_is_that_of_the_file(project: Path) -> None:
    """Byte by byte, on Windows too, whose own encoding of pipes lacks the letter."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONIOENCODING", "PYTHONUTF8")}
    done = subprocess.run(
        [sys.executable, "-m", "assetdb", "find", "木", "--quiet"],
        cwd=project,
        env={**environment, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    assert "Assets/Grün → 木.mat\n".encode() in done.stdout


@needs_scripts
def test_closed_streams(project: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"'{sys.executable}' -m assetdb find Grün >&- <&-"],
        cwd=project,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_is_no_traceback(project: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "assetdb", "find", "Grün"],
            cwd=project,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"No space left" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("gone", ["full", "broken"])
def test_what_cannot_be_written_to_stderr_ends_no_command(project: Path, gone: str) -> None:
    def with_stderr_gone(*words: str) -> subprocess.CompletedProcess[bytes]:
        if gone == "full":
            stderr = os.open("/dev/full", os.O_WRONLY)
        else:
            reading, stderr = os.pipe()
            os.close(reading)
        try:
            command = [sys.executable, "-m", "assetdb", *words]
            return subprocess.run(
                command, cwd=project, stdout=subprocess.PIPE, stderr=stderr, check=False, timeout=60, env=os.environ
            )
        finally:
            os.close(stderr)

    (project / "Assets" / "alone.mat").write_bytes(b"")  # a warning
    seen = run(project, "bake")
    assert b"missing-meta" in seen.stderr
    done = with_stderr_gone("bake")
    assert (done.returncode, done.stdout) == (seen.returncode, seen.stdout)
    assert done.stdout.startswith(b"baked")
    assert with_stderr_gone("bake", "--chekc").returncode == run(project, "bake", "--chekc").returncode == 2


def test_a_line_of_json_steers_nothing() -> None:
    line = terminal.json_line({HOSTILE: [HOSTILE]})
    assert json.loads(line) == {HOSTILE: [HOSTILE]}
    assert line.splitlines() == [line]
    assert line.encode()  # no lone surrogate is left
    assert not any(character in line for character in HOSTILE[1:-2:2])
    assert "\U0001f600é" in line


def test_json_is_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    stream: Any = io.TextIOWrapper(written, encoding="cp1252", newline="\r\n")
    monkeypatch.setattr(sys, "stdout", stream)
    terminal.print_json_lines([{"name": "木"}, {"name": "é"}])
    stream.flush()
    assert written.getvalue().decode("utf-8") == '{"name": "木"}\n{"name": "é"}\n'


@pytest.mark.parametrize("words", [("find", "*"), ("dump",), ("find", "*", "--json")])
def test_a_reader_that_has_had_enough(project: Path, words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "assetdb", *words],
        cwd=project,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not hasattr(os, "eventfd"), reason="nothing that can be written says EINVAL here")
def test_windows_says_einval_of_a_reader_that_went() -> None:
    """An event descriptor says EINVAL for whatever is no number of eight bytes."""
    descriptor = os.eventfd(0)
    with os.fdopen(descriptor, "wb"), cli._WindowsPipe(descriptor, "w", closefd=False) as pipe:
        with pytest.raises(BrokenPipeError):
            pipe.write(b"x")
        assert pipe.write(bytes(8)) == 8
    full = os.open("/dev/full", os.O_WRONLY)
    no_space = os.strerror(errno.ENOSPC)
    with (
        os.fdopen(full, "wb"),
        cli._WindowsPipe(full, "w", closefd=False) as pipe,
        pytest.raises(OSError, match=no_space),
    ):
        pipe.write(b"x")
