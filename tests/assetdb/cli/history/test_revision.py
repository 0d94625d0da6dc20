"""What is asked of a revision is what its checkout answers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.history.git_project import commit, git, make_repository
from tests.assetdb.unity_project import HEAD, game_object, guid, write
from tests.long_cases import long_after

if TYPE_CHECKING:
    from pathlib import Path

QUESTIONS = (
    ("name", guid(1), guid(3), guid(90), guid(91)),
    ("path", guid(1), guid(90), guid(91)),
    ("find", "e"),
    ("find", "--component", "Transform"),
    ("usages", guid(3), guid(90), "--objects"),
    ("deps", guid(90), guid(2), "--deep"),
    ("ls", "Assets", "--deep"),
    ("get", guid(90)),
    ("unused", "--incomplete"),
    ("coverage",),
    ("check",),
    ("check", "Assets/Prefabs"),
    ("groups",),
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_repository(tmp_path)
    monkeypatch.chdir(root)
    return root


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main([words[0], "--quiet", *words[1:]])
    out, err = capsys.readouterr()
    return code, out, err


def edited(root: Path, chosen: random.Random) -> None:
    """Add, move, change and remove prefabs, and commit it."""
    number = 90 + chosen.randrange(3)
    for path in root.rglob(f"n{number}.prefab*"):
        path.unlink()
    folder = chosen.choice(("Assets", "Assets/Prefabs", "Assets/More"))
    if chosen.random() < 0.8:
        text = HEAD + game_object(100, f"N{chosen.randrange(9)}") + f"  x: {{fileID: 100, guid: {guid(1)}, type: 3}}\n"
        write(root, f"{folder}/n{number}.prefab", number, text, "PrefabImporter:\n  userData: \n")
    git(root, "commit", "--allow-empty", "-qm", "nothing")
    commit(root)


@pytest.mark.parametrize("count", long_after(1, [2, 4]))
def test_every_question_is_answered_as_a_checkout_would(
    root: Path, capsys: pytest.CaptureFixture[str], count: int
) -> None:
    chosen = random.Random(11)
    for _ in range(6):
        edited(root, chosen)
    revisions = [f"HEAD~{2 * number}" for number in range(count)]
    before = {revision: [asked(capsys, *words, "--rev", revision) for words in QUESTIONS] for revision in revisions}
    baked = {}
    for number, revision in enumerate(revisions):
        assert asked(capsys, "bake", "--rev", revision, "--to", f"Library/{number}.bin")[0] == 0
        baked[revision] = (root / f"Library/{number}.bin").read_bytes()
    top = git(root, "rev-parse", "HEAD").strip()
    for number, revision in enumerate(revisions):
        git(root, "checkout", "-q", f"{top}~{2 * number}")
        found = [asked(capsys, *words) for words in QUESTIONS]
        for words, one, other in zip(QUESTIONS, before[revision], found, strict=True):
            assert one == other, (revision, words)
        assert (root / "Library/assetdb/asset-db.bin").read_bytes() == baked[revision]
    assert len(set(baked.values())) > 1


def test_paths_are_those_on_the_disk(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = HEAD + game_object(100, "Old")
    write(root, "Assets/Prefabs/old.prefab", 93, text, "PrefabImporter:\n  userData: \n")
    commit(root)
    for end in ("", ".meta"):
        (root / f"Assets/Prefabs/old.prefab{end}").unlink()
    commit(root)
    for query in ("Assets/Prefabs/old.prefab", str(root / "Assets/Prefabs/old.prefab"), "old.prefab"):
        assert asked(capsys, "guid", query, "--rev", "HEAD~1")[:2] == (0, f"{guid(93)}\n")
    monkeypatch.chdir(root / "Assets/Prefabs")
    assert asked(capsys, "guid", "./old.prefab", "--rev", "HEAD~1")[:2] == (0, f"{guid(93)}\n")
    assert asked(capsys, "guid", "./old.prefab")[0] == 1
    assert main(["guid", "old.prefab", "--rev", "HEAD~1"]) == 0
    assert capsys.readouterr().err == "assetdb: as of HEAD~1\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("name", guid(1), "--rev", "nonsense"), "git knows no revision 'nonsense' here"),
        (("name", guid(1), "--rev", "HEAD", "--no-refresh"), "cannot be combined"),
        (("check", "--rev", "HEAD", "--fix"), "--rev reports the findings of one revision"),
        (("check", "--rev", "HEAD", "--since", "HEAD"), "--rev reports the findings of one revision"),
        (("bake", "--rev", "HEAD"), "--rev and --to must be given together"),
        (("bake", "--to", "x.bin"), "--rev and --to must be given together"),
        (("bake", "--to", "x.bin", "--rev", "HEAD", "--check"), "without --check"),
    ],
)
@pytest.mark.usefixtures("root")
def test_what_cannot_be_asked_is_said(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str) -> None:
    code, out, err = asked(capsys, *words)
    assert (code, out) == (2, "")
    assert said in err


def test_nothing_is_left_behind(
    root: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    write(root, "Assets/n.prefab", 94, HEAD + game_object(100, "N"))
    commit(root)
    assert asked(capsys, "name", guid(1), "--rev", "HEAD~1")[0] == 0
    assert asked(capsys, "name", guid(94), "--rev", "HEAD~1")[0] == 1
    assert list(scratch.iterdir()) == []


def test_a_bare_repository_is_asked_about_a_revision_alone(
    root: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bare = tmp_path / "bare.git"
    git(root, "clone", "-q", "--bare", str(root), str(bare))
    expected = asked(capsys, "name", guid(1))[:2]
    assert expected[0] == 0
    words = ("name", guid(1), "--project", str(bare))
    assert asked(capsys, *words, "--rev", "HEAD")[:2] == expected
    code, out, err = asked(capsys, *words)
    assert (code, out) == (2, "")
    assert "is a bare repository, which has no files" in err
    code, out, _ = asked(capsys, "diff", "HEAD..HEAD", "--project", str(bare))
    assert (code, out) == (0, "nothing differs\n")
