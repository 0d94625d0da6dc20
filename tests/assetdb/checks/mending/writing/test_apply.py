"""A plan is made true as a whole or not at all: files changed meanwhile, links, failures, kills at every step."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.plan import Edit, Move, Plan
from assetdb.checks.mending.writing import journal
from assetdb.checks.mending.writing.apply import Recovered, apply, recover
from assetdb.checks.mending.writing.journal import Journal, Rename, Write, begun, digest, write_journal
from assetdb.checks.mending.writing.safe_files import NameInFolder
from assetdb.errors import MendingError
from assetdb.settings.project import JOURNAL_NAME
from assetdb.system import exclusive_rename
from tests.needs import limits_names, needs_links, needs_pipes

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.mending.writing.journal import Step


def contents(root: Path) -> dict[str, bytes | None]:
    """Return every file's bytes below ``Assets``, and None for each folder."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted((root / "Assets").rglob("*"))
    }


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for folder in ("Assets/Old/Deep", "Assets/New", "ProjectSettings"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("a", "b", "c"):
        (tmp_path / f"Assets/{name}.txt").write_bytes(name.encode() * 9)
    (tmp_path / "Assets/Old/Deep/d.txt").write_bytes(b"deep")
    (tmp_path / "Assets/Old.meta").write_bytes(b"old meta")
    (tmp_path / "Assets/gone").mkdir()
    (tmp_path / "Assets/gone/e.txt").write_bytes(b"e")
    return tmp_path


PLAN = Plan(
    (
        Edit("Assets/a.txt", b"a" * 9, b"A" * 9),
        Edit("Assets/b.txt", b"b" * 9, None),
        Edit("Assets/new.txt", None, b"new"),
    ),
    (Move("Assets/Old", "Assets/New/Old"), Move("Assets/Old.meta", "Assets/New/Old.meta")),
    ("Assets/gone", "Assets/c.txt"),
)
AFTER = {
    "Assets/a.txt": b"A" * 9,
    "Assets/new.txt": b"new",
    "Assets/New": None,
    "Assets/New/Old": None,
    "Assets/New/Old.meta": b"old meta",
    "Assets/New/Old/Deep": None,
    "Assets/New/Old/Deep/d.txt": b"deep",
}
STEPS = 10  # what is called after everything that changes the disk: the journal, 7 steps, the journal, the clearing


@pytest.mark.parametrize("length", [248, 300])  # the second step fails, or the first
def test_a_move_to_a_name_too_long_is_undone_whole(project: Path, length: int) -> None:
    if not limits_names(project):
        pytest.skip("names have no limit of their own here")
    # the undo asked for the file of that name, was told the same, and every later change was refused
    before = contents(project)
    name = f"Assets/New/{'n' * length}"
    plan = Plan(moves=(Move("Assets/a.txt", name), Move("Assets/b.txt", f"{name}.long.meta")))
    with pytest.raises(OSError, match="too long"):
        apply(plan, str(project))
    assert contents(project) == before
    assert not (project / JOURNAL_NAME).exists()


def test_everything_is_done(project: Path) -> None:
    steps: list[int] = []
    found = apply(PLAN, str(project), on_step=lambda: steps.append(1))
    assert contents(project) == AFTER
    assert found.written == ("Assets/a.txt",)
    assert found.made == ("Assets/new.txt",)
    assert found.removed == ("Assets/gone", "Assets/c.txt", "Assets/b.txt")
    assert len(steps) == STEPS
    assert not (project / JOURNAL_NAME).exists()


class FailureError(Exception):
    """What goes wrong on purpose."""


@pytest.mark.parametrize("step", range(1, STEPS - 1))
def test_a_failure_undoes(project: Path, step: int) -> None:
    before = contents(project)
    left = [step]

    def fail() -> None:
        left[0] -= 1
        if left[0] == 0:
            raise FailureError

    with pytest.raises(FailureError):
        apply(PLAN, str(project), on_step=fail)
    assert contents(project) == before
    assert not (project / JOURNAL_NAME).exists()


def test_a_failure_says_what_is_not_put_back(project: Path) -> None:
    left = [3]

    def meddle() -> None:
        left[0] -= 1
        if left[0] == 0:
            (project / "Assets/a.txt").write_bytes(b"mine")
            (project / "Assets/new.txt").write_bytes(b"there")

    with pytest.raises(
        MendingError, match=r"^Assets/new\.txt: .*; not restored, .*: Assets/a\.txt \(.* in (\.assetdb-mending\.1)\)$"
    ):
        apply(PLAN, str(project), on_step=meddle)
    assert (project / "Assets/a.txt").read_bytes() == b"mine"
    assert (project / "Assets/b.txt").read_bytes() == b"b" * 9
    assert b'"path":"Assets/a.txt"' in (project / f"{JOURNAL_NAME}.1").read_bytes()


@pytest.mark.parametrize("plan", [PLAN, PLAN._replace(removals=())])
def test_a_failure_at_the_last_word_undoes_all(project: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(project)
    written = []

    def fail(root: str, journal: Journal) -> None:
        written.append(journal.phase)
        if journal.phase == "done":
            raise OSError(errno.ENOSPC, "no room", root)
        write_journal(root, journal)

    def refuse(_: str) -> None:
        monkeypatch.undo()
        raise OSError(errno.EIO, "no answer")

    monkeypatch.setattr("assetdb.checks.mending.writing.apply.write_journal", fail)
    if not plan.removals:
        monkeypatch.setattr("assetdb.checks.mending.writing.apply.remove_journal", refuse)
    with pytest.raises(OSError, match=r"no room|no answer"):
        apply(plan, str(project))
    assert contents(project) == before
    assert not list(project.glob(f"{JOURNAL_NAME}*"))


def test_what_cannot_be_undone_now_is_undone_by_the_next_command(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(project)
    left = [6]

    def fail() -> None:
        left[0] -= 1
        if left[0] == 0:
            monkeypatch.setattr(NameInFolder, "rename", refuse)
            raise FailureError

    def refuse(place: NameInFolder, _: NameInFolder) -> None:
        raise OSError(errno.EIO, "no answer", place.path)

    with pytest.raises(MendingError, match=r"cannot be undone now \(Assets/New/Old: no answer.*the next register"):
        apply(PLAN, str(project), on_step=fail)
    with pytest.raises(MendingError, match="cannot be undone now"):
        apply(PLAN, str(project))
    monkeypatch.undo()
    assert recover(str(project)).undone
    assert contents(project) == before


def test_what_cannot_be_removed_is_said_and_holds_nobody_up(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(place: NameInFolder) -> None:
        raise OSError(errno.EIO, "no answer", place.path)

    monkeypatch.setattr("assetdb.checks.mending.writing.apply.remove_tree", refuse)
    found = apply(PLAN, str(project))
    assert [line.rpartition(".assetdb-removed ")[2] for line in found.left] == [
        "was set aside, and cannot be removed: no answer; the next command tries again"
    ]
    assert "Assets/gone" not in contents(project)
    plan = Plan((Edit("Assets/z.txt", None, b"z"),))
    assert apply(plan, str(project)).made == ("Assets/z.txt",)
    with pytest.raises(MendingError, match="was created since"):
        apply(plan, str(project))
    (line,) = recover(str(project)).trash
    assert "cannot be removed" in line
    monkeypatch.undo()
    assert recover(str(project)) == Recovered()
    assert contents(project) == AFTER | {"Assets/z.txt": b"z"}
    assert not list(project.glob(f"{JOURNAL_NAME}*"))


@pytest.mark.parametrize("how", ["the system", "a link"])
@pytest.mark.parametrize("what", ["edit", "move"])
def test_what_appears_in_between_is_not_overwritten(
    project: Path, how: str, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    if how == "a link":
        monkeypatch.setattr(exclusive_rename, "_by_system", lambda *_: False)
    status = NameInFolder.status
    looks = [3 if what == "edit" else 1]  # before the plan is begun, before the step, and right before the file is made

    def look(place: NameInFolder) -> os.stat_result | None:
        found = status(place)
        if place.path == "Assets/new.txt":
            looks[0] -= 1
            if looks[0] == 0:
                (project / "Assets/new.txt").write_bytes(b"theirs")
        return found

    monkeypatch.setattr(NameInFolder, "status", look)
    one = Edit("Assets/new.txt", None, b"mine")
    plan = Plan((one,)) if what == "edit" else Plan(moves=(Move("Assets/a.txt", "Assets/new.txt"),))
    with pytest.raises(MendingError, match=r"^Assets/new\.txt: already exists$"):
        apply(plan, str(project))
    assert (project / "Assets/new.txt").read_bytes() == b"theirs"
    assert (project / "Assets/a.txt").read_bytes() == b"a" * 9
    assert not list(project.glob(f"{JOURNAL_NAME}*"))


def test_a_kill_between_link_and_unlink_leaves_one_file(project: Path) -> None:
    os.link(project / "Assets/a.txt", project / "Assets/z.txt")
    step = Rename("Assets/a.txt", "Assets/z.txt", "whatever")
    write_journal(str(project), begun(str(project), (step,), ()))
    assert recover(str(project)).undone == ("Assets/z.txt",)
    assert (project / "Assets/a.txt").read_bytes() == b"a" * 9
    assert not (project / "Assets/z.txt").exists()


def killed(project: Path, step: int, *, before_replacing: bool = False) -> None:
    """Let a process of its own make the plan true, and be killed behind a step, or before it replaces a file."""
    if sys.platform == "win32":
        pytest.skip("there is no SIGKILL")
    process = os.fork()
    if process:
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL
        return
    left = [step]

    def kill() -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    replace = os.replace

    def replace_or_die(*words: str, **more: int) -> None:
        kill()
        replace(*words, **more)

    try:
        if before_replacing:
            os.replace = replace_or_die  # in this process alone
            apply(PLAN, str(project))
        else:
            apply(PLAN, str(project), on_step=kill)
    finally:
        os._exit(1)


@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_a_kill_leaves_all_or_nothing(project: Path, step: int) -> None:
    before = contents(project)
    killed(project, step)
    recover(str(project))
    assert contents(project) == (before if step < STEPS - 1 else AFTER)
    assert recover(str(project)) == Recovered()
    assert not (project / JOURNAL_NAME).exists()


@pytest.mark.parametrize("number", [1, 2, 3])  # the journal, and the two files that get other bytes
def test_a_kill_leaves_no_half_written_file(project: Path, number: int) -> None:
    before = contents(project)
    killed(project, number, before_replacing=True)
    assert list(project.rglob("*.temporary"))
    apply(Plan((Edit("Assets/z.txt", None, b"z"),)), str(project))
    assert not list(project.rglob("*.temporary"))
    assert contents(project) == before | {"Assets/z.txt": b"z"}


def test_what_somebody_changed_since_the_kill_stays(project: Path) -> None:
    killed(project, 4)
    (project / "Assets/a.txt").write_bytes(b"mine")
    (project / "Assets/.1.x.temporary").write_bytes(b"somebody's")
    found = recover(str(project))
    assert found.left == ("Assets/a.txt",)
    assert (project / "Assets/a.txt").read_bytes() == b"mine"
    assert (project / "Assets/b.txt").read_bytes() == b"b" * 9
    assert not (project / "Assets/new.txt").exists()


def test_the_next_change_undoes_first(project: Path) -> None:
    killed(project, 2)
    assert (project / "Assets/a.txt").read_bytes() == b"A" * 9
    apply(Plan((Edit("Assets/a.txt", b"a" * 9, b"x"),)), str(project))
    assert (project / "Assets/a.txt").read_bytes() == b"x"


def test_what_could_not_be_put_back_is_not_begun(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(project)
    monkeypatch.setattr(journal, "_LARGEST", 99)
    with pytest.raises(MendingError, match="too large"):
        apply(PLAN, str(project))
    assert contents(project) == before
    assert recover(str(project)) == Recovered()


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "Assets/a.txt").write_bytes(b"a" * 9 + b"!"),
        lambda root: (root / "Assets/b.txt").unlink(),
        lambda root: (root / "Assets/new.txt").write_bytes(b""),
        lambda root: os.rename(root / "Assets/Old", root / "Assets/Older"),
        lambda root: (root / "Assets/New/Old").mkdir(),
        lambda root: (root / "Assets/a.txt").chmod(0o444),
    ],
)
def test_a_tree_that_is_another_by_now_stays_as_it_is(project: Path, change: object) -> None:
    assert callable(change)
    change(project)
    before = contents(project)
    with pytest.raises(MendingError, match=r"Assets/\w"):
        apply(PLAN, str(project))
    assert contents(project) == before


@needs_links
def test_no_link_is_followed(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "x.txt").write_bytes(b"x")
    (project / "Assets/linked").symlink_to(outside)
    (project / "Assets/file.txt").symlink_to(outside / "x.txt")
    for edit in (
        Edit("Assets/linked/x.txt", b"x", b"y"),
        Edit("Assets/file.txt", b"x", b"y"),
        Edit("Assets/linked/new", None, b"y"),
    ):
        with pytest.raises(MendingError, match="link"):
            apply(Plan((edit,)), str(project))
    with pytest.raises(MendingError, match="link"):
        apply(Plan(moves=(Move("Assets/a.txt", "Assets/linked/a.txt"),)), str(project))
    assert (outside / "x.txt").read_bytes() == b"x"
    apply(Plan(removals=("Assets/linked",)), str(project))
    assert not (project / "Assets/linked").is_symlink()
    assert (outside / "x.txt").read_bytes() == b"x"


@pytest.mark.parametrize(
    "path", ["../x", "Assets/../../x", "/etc/x", "Library/x", ".git/x", "Assets/.git/hooks/x", "Assets//x"]
)
def test_nothing_outside_is_written(project: Path, path: str) -> None:
    with pytest.raises(MendingError):
        apply(Plan((Edit(path, None, b"x"),)), str(project))


def copied(project: Path, to: Path) -> Path:
    """Copy a project as ``cp -a`` does: other numbers of files, the same times and permissions."""
    shutil.copytree(project, to, symlinks=True, copy_function=shutil.copy2)
    return to


@pytest.mark.parametrize("step", [1, 5, STEPS - 1])
def test_a_copy_of_a_project_does_not_believe_its_journal(project: Path, tmp_path: Path, step: int) -> None:
    before = contents(project)
    killed(project, step)
    copy = copied(project, tmp_path.parent / f"{tmp_path.name}-copy")
    half = contents(copy)
    data = (copy / JOURNAL_NAME).read_bytes()
    for attempt in (lambda: recover(str(copy)), lambda: apply(PLAN, str(copy))):
        with pytest.raises(MendingError, match="it was written in another folder"):
            attempt()
    assert (contents(copy), (copy / JOURNAL_NAME).read_bytes()) == (half, data)
    recover(str(copy), is_trusted=True)
    assert not (copy / JOURNAL_NAME).exists()
    assert contents(copy) == (before if step < STEPS - 1 else AFTER)
    recover(str(project))
    assert contents(project) == (before if step < STEPS - 1 else AFTER)


def made_here(project: Path, *steps: Step, trash: tuple[str, ...] = ()) -> None:
    """Write a journal of steps that no plan has, as somebody who knows the place would."""
    write_journal(str(project), begun(str(project), steps, trash))


def test_steps_of_a_forged_journal_that_changed_since_are_left(project: Path) -> None:
    made_here(project, Write("Assets/a.txt", b"old", digest(b"other"), 0o644))
    found = recover(str(project))
    assert found.left == ("Assets/a.txt",)
    assert found.aside == f"{JOURNAL_NAME}.1"
    assert (project / "Assets/a.txt").read_bytes() == b"a" * 9


@needs_pipes
@pytest.mark.parametrize(("mode", "given"), [(0o4755, 0o755), (0o6777, 0o777), (2**70 | 0o640, 0o640), (-1, 0o777)])
def test_a_journal_gives_no_file_more_than_permissions(project: Path, mode: int, given: int) -> None:
    write_journal(str(project), begun(str(project), (), ()))
    document = json.loads((project / JOURNAL_NAME).read_bytes())
    document["steps"] = [{"type": "write", "path": "Assets/made.sh", "before": "IyE=", "after": None, "mode": mode}]
    (project / JOURNAL_NAME).write_text(json.dumps(document))
    assert recover(str(project)).undone == ("Assets/made.sh",)
    assert (project / "Assets/made.sh").stat().st_mode & 0o7777 == given


@pytest.mark.parametrize("by_descriptor", [True, False])
def test_a_step_without_content_moves_only_what_was_set_aside(
    project: Path, monkeypatch: pytest.MonkeyPatch, *, by_descriptor: bool
) -> None:
    """On Windows as well, where a place is a full path and not a name in an open folder."""
    if not by_descriptor:
        monkeypatch.setattr("assetdb.checks.mending.writing.safe_files._BY_DESCRIPTOR", False)
    made_here(project, Rename("Assets/Old2", "Assets/Old", ""))
    assert recover(str(project)).left == ("Assets/Old",)
    assert (project / "Assets/Old").is_dir()
    (project / "Assets/.c.txt.0123.assetdb-removed").write_bytes(b"mine")
    made_here(project, Rename("Assets/c2.txt", "Assets/.c.txt.0123.assetdb-removed", ""))
    assert recover(str(project)).undone == ("Assets/.c.txt.0123.assetdb-removed",)
    assert (project / "Assets/c2.txt").read_bytes() == b"mine"


@pytest.mark.parametrize("damage", [b"{", b"\xff", b"", None])
def test_a_damaged_journal_is_set_aside_and_said(project: Path, damage: bytes | None) -> None:
    killed(project, 2)
    data = (project / JOURNAL_NAME).read_bytes()[:-9] if damage is None else damage
    for number in (1, 2):
        (project / JOURNAL_NAME).write_bytes(data)
        found = recover(str(project))
        assert found.aside == f"{JOURNAL_NAME}.{number}"
        assert "damaged" in found.reason
        assert (project / found.aside).read_bytes() == data
    assert (project / "Assets/a.txt").read_bytes() == b"A" * 9


def test_the_journal_of_another_version_is_kept_and_said(project: Path) -> None:
    killed(project, 2)
    place = project / JOURNAL_NAME
    left = place.read_bytes()
    before = contents(project)
    for data in (
        left.replace(b'"version":3', b'"version":2'),
        left.replace(b'"version":3', b'"other":1'),
        left.replace(b'"steps":[', b'"steps":[7,'),
        b"[]",
    ):
        assert data != left
        place.write_bytes(data)
        with pytest.raises(MendingError, match="another version of assetdb"):
            recover(str(project))
        with pytest.raises(MendingError, match="remove this journal"):
            apply(PLAN, str(project))
        assert place.read_bytes() == data
        assert contents(project) == before
    place.write_bytes(left)
    recover(str(project))
    assert (project / "Assets/a.txt").read_bytes() == b"a" * 9


def test_permissions_stay(project: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("there are none of these")
    (project / "Assets/a.txt").chmod(0o640)
    apply(Plan((Edit("Assets/a.txt", b"a" * 9, b"x"),)), str(project))
    assert (project / "Assets/a.txt").stat().st_mode & 0o777 == 0o640


@needs_links
@pytest.mark.parametrize("step", [3, 8])
def test_a_project_reached_by_another_path_is_undone(
    project: Path, tmp_path_factory: pytest.TempPathFactory, step: int
) -> None:
    before = contents(project)
    killed(project, step)
    link = tmp_path_factory.mktemp("elsewhere") / "link"
    link.symlink_to(project)
    assert recover(str(link)).undone
    assert contents(project) == before


@pytest.mark.skipif(sys.platform == "win32", reason="paths are short there")
def test_a_folder_of_any_depth_is_removed(project: Path) -> None:
    deepest = os.open(project / "Assets/gone", os.O_RDONLY)
    for _ in range(sys.getrecursionlimit() + 200):
        os.mkdir("d", dir_fd=deepest)
        deeper = os.open("d", os.O_RDONLY, dir_fd=deepest)
        os.close(deepest)
        deepest = deeper
    os.close(deepest)
    (project / "Assets/gone/link").symlink_to(project / "Assets/Old")
    apply(Plan(removals=("Assets/gone",)), str(project))
    assert [path.name for path in (project / "Assets").iterdir() if "gone" in path.name] == []
    assert (project / "Assets/Old/Deep/d.txt").read_bytes() == b"deep"


def test_a_folder_with_read_only_folders_is_removed(project: Path) -> None:
    (project / "Assets/gone/a/b").mkdir(parents=True)
    (project / "Assets/gone/a/b/f.txt").write_bytes(b"f")
    for path in ("Assets/gone/a/b/f.txt", "Assets/gone/a/b", "Assets/gone/a"):
        (project / path).chmod(0o555)
    apply(Plan(removals=("Assets/gone",)), str(project))
    assert [path.name for path in (project / "Assets").iterdir() if "gone" in path.name] == []
