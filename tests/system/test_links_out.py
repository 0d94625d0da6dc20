"""A link out of a project shows nothing of what it leads to: git stores links, and a branch may bring one to a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.history.git_project import commit, git
from tests.assetdb.mcp.assistant import assisting
from tests.assetdb.unity_project import HEAD, game_object, guid, write, write_meta
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_links
HIDDEN = "hunter2"
VALUES = f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Own\n  password: {HIDDEN}\n"
LINKS = ("Values.asset", "Tree.prefab")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose branch ``theirs`` has links out of it in place of two assets."""
    root = tmp_path / "Game"
    (root / "ProjectSettings").mkdir(parents=True)
    (root / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.10f1\n")
    write(root, "Assets/Values.asset", 1, VALUES.replace(HIDDEN, "none"))
    write(root, "Assets/Tree.prefab", 2, HEAD + game_object(10, "Plain"))
    write(root, "Assets/Near.prefab", 3, HEAD + game_object(10, "Near"))
    write_meta(root, "Assets/Chain.prefab", 4, "PrefabImporter:\n")
    (root / "Assets" / "Chain.prefab").symlink_to("Near.prefab")
    (root / ".gitignore").write_text("/Library/\n")
    git(root, "init", "-q", "-b", "main")
    commit(root)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "Values.asset").write_text(VALUES)
    (outside / "Tree.prefab").write_text(HEAD + game_object(10, HIDDEN))
    git(root, "checkout", "-q", "-b", "theirs")
    for name in LINKS:
        (root / "Assets" / name).unlink()
        (root / "Assets" / name).symlink_to(outside / name)
    commit(root)
    git(root, "checkout", "-q", "main")
    monkeypatch.chdir(root)
    return root


def asked(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    out, err = capfd.readouterr()
    return code, out, err


QUESTIONS = (("get", "Assets/Values.asset"), ("ls", "Assets/Tree.prefab", "--tree"), ("ls", "Assets/Values.asset"))


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_a_link_of_a_branch_is_a_file_that_is_not_there(
    project: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert asked(capfd, *words)[0] == 0
    code, out, err = asked(capfd, *words, "--rev", "theirs")
    assert code == 2, project
    assert out == ""
    assert HIDDEN not in err
    assert f"{words[1]}: is empty or absent" in err


def test_what_is_left_out_is_said(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _, _, err = asked(capfd, "find", "Near", "--rev", "theirs")
    assert [line for line in err.splitlines() if "left out" in line] == [
        f"assetdb: a link out of the project, left out: Assets/{name}" for name in sorted(LINKS)
    ], project
    assert "left out" not in asked(capfd, "find", "Near", "--rev", "main~0")[2]


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_a_link_on_the_disk_is_not_followed_to_its_content(
    project: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    words: tuple[str, ...],
) -> None:
    git(project, "checkout", "-q", "theirs")
    reasons = {(): "is a link out of the project: set follow-links = true", ("--rev", "HEAD"): "is empty or absent"}
    for more, reason in reasons.items():
        code, out, err = asked(capfd, *words, *more)
        assert (code, out) == (2, "")
        assert f"{words[1]}: {reason}" in err
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "assetdb").mkdir(parents=True)
    (tmp_path / "config" / "assetdb" / "config.toml").write_text("follow-links = true\n")
    assert asked(capfd, *words)[0] == 0


def test_an_unchanged_link_in_an_unchanged_folder_of_a_revision_is_not_followed(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    git(project, "checkout", "-q", "theirs")
    write(project, "Assets/More/Other.prefab", 9, HEAD + game_object(10, "Other"))
    for name in ("", ".meta"):
        (project / f"Assets/Tree.prefab{name}").rename(project / f"Assets/More/Tree.prefab{name}")
    write(project, "Assets/New.prefab", 10, HEAD + game_object(10, "New"))
    commit(project)
    (project / "Assets/New.prefab").write_text(HEAD + game_object(10, "Newer"))
    code, out, err = asked(capfd, "ls", "Assets/More/Tree.prefab", "--tree", "--rev", "HEAD")
    assert (code, out) == (2, "")
    assert "is empty or absent" in err


QUESTIONS_OF_REFERENCES = (("deps", "Assets/Tree.prefab"), ("usages", "Assets/Near.prefab"))


@pytest.mark.parametrize("words", QUESTIONS_OF_REFERENCES, ids=" ".join)
@pytest.mark.parametrize("is_edited", [False, True])
def test_a_checked_out_revision_has_no_references_of_what_a_link_leads_to(
    project: Path,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    words: tuple[str, ...],
    is_edited: bool,  # noqa: FBT001 - a parameter
) -> None:
    (tmp_path / "outside" / "Tree.prefab").write_text(
        HEAD + game_object(10, HIDDEN) + f"  m_Near: {{fileID: 10, guid: {guid(3)}, type: 3}}\n"
    )
    git(project, "checkout", "-q", "theirs")
    if is_edited:  # elsewhere: the folder of the links is unchanged
        write(project, "Assets/Other/New.prefab", 11, HEAD + game_object(10, "New"))
    code, out, err = asked(capfd, *words, "--rev", "HEAD")
    assert (code, out) == (1, ""), err
    assert "a link out of the project, left out: Assets/Tree.prefab" in err


def test_a_link_inside_the_project_is_its_target(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    git(project, "checkout", "-q", "theirs")
    for words in (("ls", "Assets/Chain.prefab"), ("ls", "Assets/Chain.prefab", "--rev", "main")):
        code, out, err = asked(capfd, *words)
        assert code == 0, err
        assert "Chain.prefab" in out


@pytest.mark.parametrize("revision", [(), ("--rev", "theirs"), ("--rev", "HEAD")], ids=["disk", "theirs", "HEAD"])
def test_an_export_has_nothing_of_it(
    project: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path, revision: tuple[str, ...]
) -> None:
    lost = f"  m_{HIDDEN}: {{fileID: 10, guid: {guid(99)}, type: 3}}\n"
    (tmp_path / "outside" / "Tree.prefab").write_text(HEAD + game_object(10, HIDDEN) + lost)
    parts = "".join(f"--- !u!74 &740000{number}\nAnimationClip:\n  m_Name: {HIDDEN}{number}\n" for number in (0, 2))
    (tmp_path / "outside" / "Values.asset").write_text(HEAD + parts)
    if revision != ("--rev", "theirs"):
        git(project, "checkout", "-q", "theirs")
    code, _, err = asked(capfd, "export", str(tmp_path / "to"), "--format", "jsonl", *revision)
    assert code == 0, err
    texts = [path.read_text() for path in (tmp_path / "to").rglob("*.jsonl")]
    assert texts
    assert not [text for text in texts if HIDDEN in text]


def test_a_check_names_no_object_of_it(project: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lost = f"  m_{HIDDEN}: {{fileID: 10, guid: {guid(99)}, type: 3}}\n"
    (tmp_path / "outside" / "Tree.prefab").write_text(HEAD + game_object(10, HIDDEN) + lost)
    git(project, "checkout", "-q", "theirs")
    code, out, err = asked(capfd, "check", "--json")
    assert code == 1, err
    assert guid(99) in out
    assert HIDDEN not in out


def test_an_assistant_is_shown_nothing_of_it(project: Path) -> None:
    git(project, "checkout", "-q", "theirs")
    with assisting(project) as assistant:
        for tool, query in (("get", "Assets/Values.asset"), ("ls", "Assets/Tree.prefab")):
            found = assistant.refused(tool, {"query": query})
            assert HIDDEN not in found
            assert "is a link out of the project" in found


NAMINGS = (
    ("name", f"{guid(2)}:10"),
    ("get", "Assets/User.asset"),
    ("annotate", "Assets/User.asset"),
    ("usages", "--objects", "Assets/Near.prefab"),
)


@pytest.mark.parametrize("words", NAMINGS, ids=" ".join)
def test_a_name_has_no_object_of_it(
    project: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    near = f"  m_Near: {{fileID: 10, guid: {guid(3)}, type: 3}}\n"
    (tmp_path / "outside" / "Tree.prefab").write_text(HEAD + game_object(10, HIDDEN) + near)
    git(project, "checkout", "-q", "theirs")
    to_it = f"  m_Name: User\n  m_To: {{fileID: 10, guid: {guid(2)}, type: 3}}\n"
    write(project, "Assets/User.asset", 12, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{to_it}")
    code, out, err = asked(capfd, *words)
    assert (code, HIDDEN in out + err) == (0, False), err
    assert "Tree.prefab" in out
