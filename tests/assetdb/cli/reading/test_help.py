"""Help as people see it: panels on a terminal, plain text elsewhere, and completion in four shells."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assetdb.cli import main
from assetdb.cli.commands import COMMANDS
from scripts.pages import DOCS, commands_page

CHECKOUT = Path(__file__).resolve().parents[4]
PROGRAM = (sys.executable, "-m", "assetdb")
ESCAPE = "\x1b["
BASE = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "COLUMNS", "FORCE_COLOR")}


def on_terminal(words: list[str], columns: int = 110, **more: str) -> str:
    """Return what a command writes on a terminal."""
    pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
    import fcntl  # noqa: PLC0415 - as above
    import struct  # noqa: PLC0415 - as above
    import termios  # noqa: PLC0415 - as above

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen(
        [*PROGRAM, *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        cwd=CHECKOUT,
        env={**BASE, "TERM": "xterm-256color", **more},
    )
    os.close(theirs)
    written = b""
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        written += part
    os.close(ours)
    assert process.wait() == 0
    return written.decode().replace("\r\n", "\n")


def piped(words: list[str], **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words], cwd=CHECKOUT, env={**BASE, **more}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("columns", "widest"), [(60, 60), (110, 100), (400, 100)])
def test_panels_on_a_terminal(columns: int, widest: int) -> None:
    found = on_terminal(["--help"], columns)
    text = re.sub(r"\x1b\[[0-9;]*m", "", found)
    assert ESCAPE in found
    assert [title for title in re.findall(r"╭─ ([\w ]+) ─", text) if title != "Options"] == [
        *("Bake and watch", "Ask", "Review", "Change", "Builds", "Integrate"),
    ]
    assert max(map(len, text.split("\n"))) == widest
    for row in COMMANDS:
        assert (re.search(rf"^│ {row.name} ", text, re.MULTILINE) is not None) == (not row.hidden)


def test_brackets_of_a_help_text_are_no_markup() -> None:
    assert "* ? [abc]" in on_terminal(["find", "-h"])
    assert "* ? [abc]" in piped(["find", "-h"]).stdout


@pytest.mark.parametrize("more", [{"NO_COLOR": "1"}, {"NO_COLOR": ""}, {"TERM": "dumb"}])
def test_plain_help_where_a_terminal_is_to_be_plain(more: dict[str, str]) -> None:
    found = on_terminal(["help", "name"], **more)
    assert ESCAPE not in found
    assert "╭" not in found
    assert "--no-refresh" in found


def test_plain_help_in_a_pipe() -> None:
    for more in ({}, {"GITHUB_ACTIONS": "true"}, {"FORCE_COLOR": "1"}, {"COLUMNS": "300"}, {"COLUMNS": "5"}):
        found = piped(["--help"], **more)
        assert (found.returncode, found.stderr) == (0, "")
        assert found.stdout.isascii()
        assert "Bake and watch:\n" in found.stdout
        assert max(map(len, found.stdout.split("\n"))) <= 100


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (["help"], ["--help"]),
        (["help", "name"], ["name", "-h"]),
        (["help", "help"], ["help", "--help"]),
        (["-h"], ["--help"]),
        (["help", "catalog", "ls"], ["catalog", "ls", "--help"]),
        (["help", "bundle"], ["bundle", "-h"]),
    ],
)
def test_the_ways_to_ask_for_help(words: list[str], same: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for line in (words, same):
        assert main(line) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert shown[0].lower().startswith("usage: assetdb")


def test_without_a_command_help_is_shown_and_the_line_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Bake and watch:" in capsys.readouterr().out
    assert main(["-q"]) == 2
    assert capsys.readouterr().err == "assetdb: error: missing command (see: assetdb --help)\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bke", "no such command: assetdb bke; did you mean 'bake'?"),
        ("bake --projct x", "bake: no such option: --projct; did you mean '--project'?"),
        ("bake --xyzzy", "bake: no such option: --xyzzy (see: assetdb bake --help)"),
        ("watch --in", "watch: no such option: --in (see: assetdb watch --help)"),
        (
            "build --in X info",
            "build: no such option: --in; options of a command follow it: assetdb build COMMAND --in",
        ),
        ("--verison", "no such option: --verison; did you mean '--version'?"),
        ("name", "name: missing QUERY (see: assetdb name --help)"),
        ("name --project", "name: --project takes a value (see: assetdb name --help)"),
        ("name x --json=1", "name: --json takes no value (see: assetdb name --help)"),
        ("stop now", "stop: unexpected argument 'now' (see: assetdb stop --help)"),
        ("bake --workers 0", "bake: --workers: '0' is not a whole number from 1 on (see: assetdb bake --help)"),
        ("watch --idle-timeout x", "watch: --idle-timeout: 'x' is not a number (see: assetdb watch --help)"),
        ("rm --rev HEAD x", "rm: no such option: --rev (see: assetdb rm --help)"),
        ("register --fetch x", "register: no such option: --fetch (see: assetdb register --help)"),
        ("unused --root a", "unused: no such option: --root; write --roots"),
        ("watch --poll", "watch: no such option: --poll; write --backend polling"),
        ("bundle ls --type 49 x", "bundle ls: no such option: --type; write --class"),
        ("catalog find --type Sprite", "catalog find: no such option: --type; write --class"),
        ("unused --roots a b", "unused: unexpected argument 'b'; write --roots before each pattern"),
        (
            "watch --backend inotfy",
            (
                "watch: --backend: 'inotfy' is not one of inotify, windows, watchman, watchdog, polling;"
                " did you mean 'inotify'?"
            ),
        ),
    ],
)
def test_a_mistake_is_one_line(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert capsys.readouterr() == ("", f"assetdb: error: {said}\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell", "pwsh"])
def test_each_shell_has_its_completion(shell: str) -> None:
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("bash is asked for its version, and is not installed")
    by_variable = piped([], _ASSETDB_COMPLETE=f"source_{shell}")
    by_option = piped(["--show-completion", shell])
    for found in (by_variable, by_option):
        assert (found.returncode, found.stderr) == (0, "")
        assert "_ASSETDB_COMPLETE" in found.stdout


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("assetdb na", ["name"]),
        ("assetdb cat", ["catalog"]),
        ("assetdb watch --ba", ["--backend"]),
        ("assetdb watch --backend ino", ["inotify"]),
        ("assetdb -q usages --ob", ["--objects"]),
        ("assetdb help na", ["name"]),
    ],
)
def test_words_are_completed(line: str, completed: list[str]) -> None:
    words = line.split()
    found = piped([], _ASSETDB_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.split() == completed


@pytest.mark.parametrize(
    ("shell", "written"),
    [
        ("bash", ".bash_completions/assetdb.sh"),
        ("zsh", ".zfunc/_assetdb"),
        ("fish", ".config/fish/completions/assetdb.fish"),
    ],
)
def test_completion_is_installed_for_the_shell_that_is_named(shell: str, written: str, tmp_path: Path) -> None:
    found = piped(["--install-completion", shell], HOME=str(tmp_path), USERPROFILE=str(tmp_path))
    assert (found.returncode, found.stderr) == (0, "")
    script = tmp_path / written
    assert found.stdout.splitlines()[0] == f"{shell} completion installed in {script}"
    assert "_ASSETDB_COMPLETE" in script.read_text("utf-8")
    if shell == "bash":
        assert str(script) in (tmp_path / ".bashrc").read_text("utf-8")
    if shutil.which(shell):
        assert subprocess.run([shell, "-n", script], check=False).returncode == 0


@pytest.mark.parametrize("option", ["--install-completion", "--show-completion"])
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["zhs"], "'zhs' is not one of bash, zsh, fish, powershell, pwsh; did you mean 'zsh'?"),
        (["bash", "zsh"], "unexpected argument 'zsh'"),
    ],
)
def test_no_completion_is_installed_for_another_shell(option: str, words: list[str], said: str, tmp_path: Path) -> None:
    found = piped([option, *words], HOME=str(tmp_path), USERPROFILE=str(tmp_path))
    assert (found.returncode, found.stdout, found.stderr) == (2, "", f"assetdb: error: {option}: {said}\n")
    assert not any(tmp_path.iterdir())


def test_help_imports_no_command() -> None:
    code = "import sys\nfrom assetdb.cli import main\nmain(['--help'])\nprint(*sys.modules, file=sys.stderr)"
    found = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    loaded = set(found.stderr.split())
    assert not {row.module for row in COMMANDS} & loaded
    assert not {"pydantic", "rich", "assetdb_formats.addressables", "assetdb.baking"} & loaded


def test_typer_reads_words_without_what_takes_it_longest() -> None:
    code = (
        "import sys\nfrom assetdb.cli.reading.application import read\n"
        "read(['watch', '--idle-timeout', '5', '--backend', 'polling', '--project', 'x'])\nprint(*sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert not {"pydantic", "rich"} & set(found.stdout.split())


def test_the_page_of_commands_is_that_of_the_declarations() -> None:
    assert (DOCS / "commands.md").read_text("utf-8") == commands_page(), "run python -m scripts.pages"
