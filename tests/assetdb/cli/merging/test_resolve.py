"""``assetdb resolve``: real merges with open values, by options and in a terminal."""

from __future__ import annotations

import io
import json
import os
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.history.configuration.setup import set_up
from tests.architecture.imports import PYTHONPATH
from tests.assetdb.cli.merging.guide import scene
from tests.assetdb.cli.merging.test_docs import GUIDE
from tests.assetdb.history.git_project import IDENTITY, commit, make_repository
from tests.system.test_merge_driver import run

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name == "nt", reason="git's shell is not on PATH there")

SCENE = "Assets/Main.unity"


def conflicted(tmp_path: Path, *, driver: bool, ours: str, theirs: str, base: str = "") -> Path:
    """Return a repository with a merge that stopped."""
    root = make_repository(tmp_path / "game")
    if driver:
        list(set_up(str(root), hook=False, merge=True))
    for branch, text in (("main", base or scene()), ("other", theirs), ("main", ours)):
        run(root, "checkout", "-q", *(["-b"] if branch == "other" else []), branch)
        (root / SCENE).write_text(text)
        commit(root)
    assert run(root, "merge", "other").returncode == 1
    return root


@pytest.mark.parametrize("driver", [True, False], ids=["by object", "git's own markers"])
def test_open_values_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str], driver: bool) -> None:  # noqa: FBT001 - of the table
    root = conflicted(tmp_path, driver=driver, ours=scene(2, 2), theirs=scene(3))
    assert main(["resolve", "--list", "--project", str(root)]) == 1
    said = capsys.readouterr().out
    assert (
        said == f"{SCENE}: Player / Body (Transform) m_LocalPosition: (0, 1, 0) -> ours (0, 2, 0), theirs (0, 3, 0)\n"
    )
    assert main(["resolve", "--json", "--project", str(root)]) == 1
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["path"], row["file_id"], row["theirs"]) == (SCENE, 40, "  m_LocalPosition: {x: 0, y: 3, z: 0}\n")


@pytest.mark.parametrize("driver", [True, False])
@pytest.mark.parametrize(("side", "expected"), [("ours", scene(2, 2)), ("theirs", scene(3, 2))])
def test_a_side_is_taken_by_pattern(tmp_path: Path, driver: bool, side: str, expected: str) -> None:  # noqa: FBT001 - of the table
    root = conflicted(tmp_path, driver=driver, ours=scene(2, 2), theirs=scene(3))
    assert main(["resolve", "--project", str(root), "--take", side, "* m_LocalPosition", "--add"]) == 0
    assert (root / SCENE).read_text() == expected
    assert run(root, "ls-files", "-u").stdout == ""


def test_nothing_is_asked_in_a_terminal_where_all_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2, 2), theirs=scene(3))
    monkeypatch.setattr("sys.stdin", TerminalInput())
    assert main(["resolve", "--project", str(root), "--take", "ours", "*", "--add"]) == 0
    assert (root / SCENE).read_text() == scene(2, 2)


class TerminalInput(io.StringIO):
    """A terminal in which nobody types anything."""

    def isatty(self) -> bool:
        return True


def test_a_typed_value_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2, 2), theirs=scene(3))
    resolve = ["resolve", "--project", str(root)]
    assert main([*resolve, "--take", "=[1", "1"]) == 1
    assert (root / SCENE).read_text().count("<<<<<<<") == 1
    assert main([*resolve, "--json"]) == 1
    assert [json.loads(line)["typed"] for line in capsys.readouterr().out.splitlines() if line[0] == "{"] == [True]
    assert main([*resolve, "--take", "=(0, 5, 0)", "1"]) == 0
    assert (root / SCENE).read_text() == scene(5, 2)


def test_all_ours_is_the_side_where_only_values_were_open(tmp_path: Path) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2, 2, "A"), theirs=scene(3, 3, "B"))
    assert main(["resolve", "--project", str(root), "--take", "ours", "*"]) == 0
    assert (root / SCENE).read_text() == scene(2, 2, "A")


def test_nothing_is_written_before_the_file_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2, 2), theirs=scene(3, 3))
    before = (root / SCENE).read_bytes()
    assert main(["resolve", "--project", str(root), "--take", "ours", "* m_LocalPosition"]) == 1
    assert (root / SCENE).read_bytes() == before
    assert "m_LocalScale" in capsys.readouterr().out


def test_an_edited_file_keeps_its_edits(tmp_path: Path) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2, 2), theirs=scene(3, 3))
    text = (root / SCENE).read_text().replace("m_Name: Lamp", "m_Name: By hand")
    (root / SCENE).write_text(text)
    assert main(["resolve", "--project", str(root), "--take", "theirs", "*"]) == 0
    assert (root / SCENE).read_text() == scene(3, 3, "By hand")


def test_answers_that_break_the_file_are_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone = "--- !u!114 &60\nMonoBehaviour:\n  m_Name: Gone\n"
    rest = "--- !u!114 &70\nMonoBehaviour:\n  target: {fileID: 0}\n"
    refers = rest.replace("fileID: 0", "fileID: 60")
    root = conflicted(
        tmp_path, driver=True, base=scene() + gone + rest, ours=scene() + rest, theirs=scene() + gone + refers
    )
    before = (root / SCENE).read_bytes()
    resolve = ["resolve", "--project", str(root), "--take", "theirs"]
    assert main([*resolve, "*target"]) == 1
    said = capsys.readouterr()
    assert "would be broken, and was not written" in said.err
    assert "Gone" in said.out  # what the answer needs is open, too
    assert (root / SCENE).read_bytes() == before
    assert main([*resolve, "*"]) == 0
    assert (root / SCENE).read_text() == scene() + gone + refers


def a_transform(file_id: int, father: int, *children: int) -> str:
    rows = "".join(f"  - {{fileID: {child}}}\n" for child in children)
    listed = f"  m_Children:\n{rows}" if children else "  m_Children: []\n"
    return f"--- !u!4 &{file_id}\nTransform:\n{listed}  m_Father: {{fileID: {father}}}\n"


def moved_by_both() -> dict[str, str]:
    """Return base, ours and theirs of a scene in which each side moved a child to another father."""
    head = scene().partition("--- ")[0]
    return {
        "base": head + a_transform(1, 0) + a_transform(2, 0) + a_transform(3, 0),
        "ours": head + a_transform(1, 0, 3) + a_transform(2, 0) + a_transform(3, 1),
        "theirs": head + a_transform(1, 0) + a_transform(2, 0, 3) + a_transform(3, 2),
    }


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_a_child_that_both_moved_goes_where_one_side_has_it(tmp_path: Path, side: str) -> None:
    """Each answer about its father needs the children of both fathers: neither was written."""
    texts = moved_by_both()
    root = conflicted(tmp_path, driver=True, **texts)
    assert main(["resolve", "--project", str(root), "--take", side, "*"]) == 0
    assert (root / SCENE).read_text() == texts[side]


def test_values_that_answers_open_are_answered_by_the_numbers_that_they_are_shown_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lists of children had the numbers 1 and 3 beside the father, who had been 1 before."""
    texts = moved_by_both()
    root = conflicted(tmp_path, driver=True, **texts)
    take: list[str] = []
    code, known = 1, [1]
    while code and len(known) < 5:
        take += ["--take", "ours", str(known[-1])]
        capsys.readouterr()
        code = main(["resolve", "--project", str(root), "--json", *take])
        known += [json.loads(line)["number"] for line in capsys.readouterr().out.splitlines()]
    assert (code, known) == (0, sorted(set(known)))
    assert (root / SCENE).read_text() == texts["ours"]


def test_only_values_without_an_answer_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The father that was answered was asked again, behind the list of children that its answer opened."""
    root = conflicted(tmp_path, driver=True, **moved_by_both())
    monkeypatch.setattr("sys.stdin", TerminalInput("o\no\nn\n"))
    assert main(["resolve", "--project", str(root)]) == 0
    assert capsys.readouterr().out.count("m_Father\n") == 1
    assert (root / SCENE).read_text() == moved_by_both()["ours"]


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_children_that_come_back_bring_others_of_their_list(tmp_path: Path, side: str) -> None:
    """Theirs removed two children, and ours changed one: the list of ours names the other, too."""
    head = scene().partition("--- ")[0]
    thing = "--- !u!1 &5\nGameObject:\n  m_Component:\n  - component: {fileID: 6}\n  m_Name: Tree\n"
    own = "--- !u!4 &6\nTransform:\n  m_GameObject: {fileID: 5}\n  m_Children: []\n  m_Father: {fileID: 9}\n"
    whole = own + a_transform(8, 9) + a_transform(9, 0, 6, 8)
    texts = {"base": thing + whole, "ours": thing.replace("Tree", "Oak") + whole, "theirs": a_transform(9, 0)}
    root = conflicted(tmp_path, driver=True, **{name: head + text for name, text in texts.items()})
    assert main(["resolve", "--project", str(root), "--take", side, "*"]) == 0
    assert (root / SCENE).read_text() == head + texts[side]


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_an_edited_object_comes_back_with_its_components(tmp_path: Path, side: str) -> None:
    """Ours removed a GameObject that theirs renamed: theirs could not be taken, for want of the Transform."""
    head = scene().partition("--- ")[0]
    rest = a_transform(9, 0)
    thing = "--- !u!1 &5\nGameObject:\n  m_Component:\n  - component: {fileID: 6}\n  m_Name: Tree\n"
    own = "--- !u!4 &6\nTransform:\n  m_GameObject: {fileID: 5}\n  m_Children: []\n  m_Father: {fileID: 9}\n"
    parent = a_transform(9, 0, 6)
    texts = {"base": thing + own + parent, "ours": rest, "theirs": thing.replace("Tree", "Oak") + own + parent}
    root = conflicted(tmp_path, driver=True, **{name: head + text for name, text in texts.items()})
    assert main(["resolve", "--project", str(root), "--take", side, "*"]) == 0
    assert (root / SCENE).read_text() == head + texts[side]


def with_two_guids(root: Path) -> Path:
    """Make a repository in which both branches gave one asset a GUID, and used it."""
    make_repository(root)
    list(set_up(str(root), hook=False, merge=True))
    commit(root)
    guids = {"other": "a" * 32, "main": "b" * 32}
    for branch, guid in guids.items():
        run(root, "checkout", "-q", *(["-b", branch] if branch == "other" else [branch]))
        (root / "Assets/both.mat.meta").write_text(f"fileFormatVersion: 2\nguid: {guid}\n")
        (root / f"Assets/{branch}.unity").write_text(scene() + f"  m: {{fileID: 2, guid: {guid}, type: 2}}\n")
        commit(root)
    assert run(root, "merge", "other").returncode == 1
    return root


def test_two_guids_of_one_asset_say_who_refers_to_which(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = with_two_guids(tmp_path / "game")
    assert main(["resolve", "--json", "--project", str(root)]) == 1
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["path"], row["place"]) == ("Assets/both.mat.meta", ["guid"])
    assert row["users"] == {"ours": ["Assets/main.unity"], "theirs": ["Assets/other.unity"]}
    assert main(["resolve", "--list", "--project", str(root)]) == 1
    assert "1 file with the GUID of theirs: Assets/other.unity" in capsys.readouterr().out


def test_a_removed_file_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2), theirs=scene(3))
    run(root, "merge", "--abort")
    run(root, "rm", "-q", SCENE)
    commit(root)
    assert run(root, "merge", "other").returncode == 1
    assert main(["resolve", "--project", str(root)]) == 1
    assert "ours removed the file, theirs changed it" in capsys.readouterr().err


def test_wrong_words_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_repository(tmp_path)
    assert main(["resolve", "--project", str(root)]) == 0
    assert main(["resolve", "--project", str(root), "--take", "mine", "*"]) == 2
    assert main(["resolve", "--project", str(root), "Assets/None.unity"]) == 2
    assert "has no conflict in git's index" in capsys.readouterr().err


# --- in a terminal


class Terminal:
    """A command in a pseudo terminal of 80 columns."""

    def __init__(self, root: Path, *words: str) -> None:
        import fcntl  # noqa: PLC0415 - not on Windows
        import pty  # noqa: PLC0415 - the same
        import struct  # noqa: PLC0415 - the same
        import termios  # noqa: PLC0415 - the same

        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        code = "import sys; from assetdb.cli import main; sys.exit(main(sys.argv[1:]))"
        environment = dict(os.environ) | IDENTITY | {"PYTHONPATH": PYTHONPATH, "TERM": "xterm", "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *words], cwd=root, stdin=slave, stdout=slave, stderr=slave, env=environment
        )
        os.close(slave)
        self.said = ""

    def until(self, text: str) -> str:
        """Wait for a text, and return what was said since the last."""
        end = time.monotonic() + 60
        while text not in self.said:
            assert time.monotonic() < end, self.said
            if select.select([self.master], [], [], 1)[0]:
                try:
                    self.said += os.read(self.master, 4096).decode().replace("\r\n", "\n")
                except OSError:  # the program has ended
                    break
        assert text in self.said, self.said
        before, _, self.said = self.said.partition(text)
        return before + text

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self.master, f"{line}\n".encode())

    def end(self) -> int:
        """Return the exit code."""
        code = self.process.wait(60)
        os.close(self.master)
        return code


def test_a_conflicted_rebase_is_resolved_in_a_terminal(tmp_path: Path) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2, 2, "A"), theirs=scene(3, 3, "B"))
    run(root, "merge", "--abort")
    assert run(root, "rebase", "other").returncode == 1  # ours is now the branch that is rebased onto
    terminal = Terminal(root, "resolve")
    screen = terminal.until("quit\n> ")
    assert screen == (
        f"\n{SCENE} (1 of 3)\nPlayer / Body (Transform) m_LocalPosition\n"
        "  base    (0, 1, 0)\n  ours    (0, 3, 0)\n  theirs  (0, 2, 0)\n"
        "o ours, t theirs, a base, v type a value, l lines, s skip, q quit\n> "
    )
    assert all(len(line) <= 80 for line in screen.splitlines())
    assert screen.strip() in GUIDE
    terminal.type("x")
    assert "'x' is no choice here" in terminal.until("quit\n> ")
    terminal.type("t")
    terminal.until("(2 of 3)")
    terminal.until("> ")
    terminal.type("p")
    terminal.until("(1 of 3)")
    terminal.until("> ")
    terminal.type("o")
    terminal.until("(2 of 3)")
    terminal.until("> ")
    terminal.type("v")
    terminal.until("value: ")
    terminal.type("(7, 1, 1)")
    terminal.until("(3 of 3)")
    terminal.until("> ")
    assert "<<<<<<<" in (root / SCENE).read_text()
    terminal.type("a")
    terminal.until("[y/N] ")
    terminal.type("y")
    assert terminal.end() == 0
    assert (root / SCENE).read_text() == scene(3, 7, "Lamp")
    assert run(root, "-c", "core.editor=true", "rebase", "--continue").returncode == 0
    assert (root / SCENE).read_text() == scene(3, 7, "Lamp")


def test_who_quits_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    root = conflicted(tmp_path, driver=True, ours=scene(2, 2), theirs=scene(3, 3))
    before = (root / SCENE).read_bytes()
    terminal = Terminal(root, "resolve")
    terminal.until("> ")
    terminal.type("o")
    terminal.until("(2 of 2)")
    terminal.until("> ")
    terminal.type("q")
    terminal.until("the rest stays open")
    assert terminal.end() == 1
    assert (root / SCENE).read_bytes() == before


def test_a_question_about_a_guid_names_the_files_that_refer_to_each(tmp_path: Path) -> None:
    terminal = Terminal(with_two_guids(tmp_path / "game"), "resolve")
    screen = terminal.until("> ")
    assert "  ours: Assets/main.unity refers to this GUID\n  theirs: Assets/other.unity refers to this GUID\n" in screen
    terminal.type("q")
    assert terminal.end() == 1
