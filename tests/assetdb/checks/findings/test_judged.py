"""Findings that are kept are those that would be made, whatever changed meanwhile."""

from __future__ import annotations

import random
import shutil
import threading
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.baking import bake
from assetdb.checks.findings.codes import REFERENCE_CODES
from assetdb.checks.findings.judged import judged_findings
from assetdb.checks.findings.references import code_of, reference_findings
from assetdb.checks.verdicts import locating
from assetdb.checks.verdicts.judging import judge_project, verdicts_of
from assetdb.daemon.session import Session
from assetdb.memo.memo import Memo, memo_of
from assetdb.query.snapshots.snapshot import open_project
from assetdb.store.files import MEMO_NAME
from assetdb.unity.importers.managed_dll import script_file_id
from tests.assetdb.unity.importers.dll_writer import Layout, TypeRow, dll
from tests.assetdb.unity_project import HEAD, SETTLED, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.checks.findings.finding import Finding

CODES = sorted(REFERENCE_CODES)


def found(root: Path, codes: list[str] = CODES) -> list[Finding]:
    """Return what a command finds, which is what would be made of all verdicts anew."""
    project = open_project(str(root), str(root / "out"))
    memo = memo_of(project)
    made = judged_findings(memo.inputs(project), codes)
    problems = judge_project(project, keep=False).problems
    assert made == list(reference_findings(project, problems, lambda reference: code_of(reference) in codes))
    assert judged_findings(memo.inputs(project), codes) == made
    assert memo.write()
    project.close()
    return made


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with dangling references of an asset in a folder, and of an object with a script."""
    root = make_project(tmp_path)
    write(root, "Assets/target.asset", 60, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: t\n")
    gone = f"  gone: {{fileID: 5, guid: {guid(60)}, type: 2}}\n"
    script = f"  m_Script: {{fileID: 11500000, guid: {guid(61)}, type: 3}}\n"
    write(root, "Assets/Hand.cs", 61, "class Hand {}\n")
    write(root, "Assets/refers.asset", 62, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script}{gone}")
    time.sleep(SETTLED)
    return root


def messages(findings: list[Finding]) -> list[str]:
    return [f"{row.object_path}: {row.message}" for row in findings if row.path == "Assets/refers.asset"]


def said(script: str, target: str) -> str:
    return f"{script} &11400000: refers to object 5 of {target}: the asset exists, the object does not (any more)"


def moved(root: Path, source: str, target: str) -> None:
    for end in ("", ".meta"):
        (root / f"{source}{end}").rename(root / f"{target}{end}")


def swapped(root: Path) -> None:
    """Two files with one GUID: the one that refers gets another, the other keeps its name."""
    meta = root / "Assets/refers.asset.meta"
    meta.write_text(meta.read_text().replace(guid(62), guid(63)))


EDITS: tuple[tuple[str, Callable[[Path], object]], ...] = (
    ("nothing", lambda _root: None),
    ("its target is moved", lambda root: moved(root, "Assets/target.asset", "Assets/Art/other.asset")),
    ("its target has another path and name", lambda root: moved(root, "Assets/target.asset", "Assets/named.asset")),
    ("its script is renamed", lambda root: moved(root, "Assets/Hand.cs", "Assets/Foot.cs")),
    ("it is moved", lambda root: moved(root, "Assets/refers.asset", "Assets/Art/refers.asset")),
    ("its GUID is another", swapped),
    ("its target is gone", lambda root: (root / "Assets/target.asset").unlink()),
    ("it is gone", lambda root: (root / "Assets/refers.asset").unlink()),
    ("the file is damaged", lambda root: (root / "out" / MEMO_NAME).write_bytes(b"UADBMEMO" * 30)),
    ("the file is cut", lambda root: (root / "out" / MEMO_NAME).write_bytes(b"")),
    ("the file is gone", lambda root: (root / "out" / MEMO_NAME).unlink()),
)


@pytest.mark.parametrize("edit", [edit for _, edit in EDITS], ids=[what for what, _ in EDITS])
def test_what_is_kept_is_what_would_be_made(root: Path, edit: Callable[[Path], object]) -> None:
    first = found(root)
    assert messages(first) == [said("Hand", "Assets/target.asset")]
    edit(root)
    time.sleep(SETTLED)
    found(root)
    found(root)


def test_a_name_that_changes_is_said(root: Path) -> None:
    found(root)
    moved(root, "Assets/target.asset", "Assets/named.asset")
    moved(root, "Assets/Hand.cs", "Assets/Foot.cs")
    assert messages(found(root)) == [said("Foot", "Assets/named.asset")]


def test_a_twin_keeps_the_name_of_a_guid(root: Path) -> None:
    for end in ("", ".meta"):
        shutil.copy(root / f"Assets/refers.asset{end}", root / f"Assets/Art/a.asset{end}")
    time.sleep(SETTLED)
    found(root)
    swapped(root)
    assert {row.asset for row in found(root) if row.path == "Assets/refers.asset"} == {guid(63)}


def test_a_target_that_nests_what_is_gone_is_not_called_gone(root: Path) -> None:
    for end in ("", ".meta"):
        (root / f"Assets/Prefabs/Player.prefab{end}").unlink()  # Level.prefab nests it
    rows = {
        row.property_path: row for row in found(root) if row.path == "Assets/Main.unity" and row.code == "missing-asset"
    }
    assert rows["nested"].message == (
        "refers to object 6772 of Assets/Prefabs/Level.prefab: an asset that it nests is missing"
    )
    assert rows["player"].message == f"no asset has the GUID {guid(1)}"


def test_other_codes_are_other_findings(root: Path) -> None:
    assert found(root, ["missing-asset"]) != found(root)
    assert {row.code for row in found(root, ["dangling"])} == {"dangling"}


def test_many_edits(root: Path) -> None:
    chosen = random.Random(5)
    targets = [guid(number) for number in (1, 3, 10, 60, 61, 77)]
    for number in range(12):
        rows = "".join(
            f"  - {{fileID: {chosen.choice((5, 2100000, 11400000))}, guid: {chosen.choice(targets)}, type: 2}}\n"
            for _ in range(3)
        )
        at = chosen.randrange(4)
        write(root, f"Assets/list{at}.asset", 70 + at, f"{HEAD}--- !u!114 &1\nMonoBehaviour:\n{rows}")
        if number % 4 == 3:
            place = next((root / "Assets").rglob("target.asset"))
            there = "Assets/target.asset" if place.parent.name == "Art" else "Assets/Art/target.asset"
            moved(root, place.relative_to(root).as_posix(), there)
        found(root)


def test_findings_of_a_snapshot_are_not_taken_for_those_of_a_newer_one(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two clients of a daemon ask at once, one of them after an edit."""
    session = Session(str(root), str(root / "out"))
    session.start()
    old = session.opened
    memo = memo_of(old)
    noted = Memo.noted
    others: list[threading.Thread] = []

    def noted_after_an_edit(self: Memo, key: str, version: str) -> object:
        if not others:
            refers = root / "Assets/refers.asset"
            refers.write_text(refers.read_text().replace("  gone:", "  also: {fileID: 6, guid: 0, type: 2}\n  gone:"))
            refers.write_text(refers.read_text().replace("guid: 0,", f"guid: {guid(60)},"))
            time.sleep(SETTLED)
            session.reconcile()
            newer = session.opened
            others.append(threading.Thread(target=lambda: verdicts_of(newer).of(newer)))
            others[0].start()
            others[0].join(1.0)  # it may have to wait for this thread
        return noted(self, key, version)

    monkeypatch.setattr(Memo, "noted", noted_after_an_edit)
    assert len(messages(judged_findings(memo.inputs(old), CODES))) == 1
    others[0].join()
    assert len(messages(judged_findings(memo.inputs(session.opened), CODES))) == 2
    session.close()


def test_findings_of_another_tree_than_the_database_are_not_kept(root: Path) -> None:
    bake(str(root), str(root / "out"))
    refers = root / "Assets/refers.asset"
    text = refers.read_text()
    refers.write_text(text.replace(guid(60), guid(99)))
    time.sleep(SETTLED)
    project = open_project(str(root), str(root / "out"), refresh=False)
    memo = memo_of(project)
    assert messages(judged_findings(memo.inputs(project), CODES)) != [said("Hand", "Assets/target.asset")]
    assert memo.write()
    project.close()
    refers.write_text(text)
    time.sleep(SETTLED)
    assert messages(found(root)) == [said("Hand", "Assets/target.asset")]


def test_of_many_references_with_one_verdict_the_first_are_listed_and_the_others_counted(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locating, "MOST_LISTED", 3)
    gone = ", ".join(f"{{fileID: 5, guid: {guid(700 + number)}, type: 2}}" for number in range(9))
    dangling = "".join(f"  at: {{fileID: {number}, guid: {guid(60)}, type: 2}}\n" for number in range(1, 6))
    write(root, "Assets/refers.asset", 62, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  all: [{gone}]\n{dangling}")
    rows = [row for row in found(root) if row.path == "Assets/refers.asset"]
    assert [(row.code, row.line, row.property_path, row.message.partition(":")[0]) for row in rows] == [
        *[("missing-asset", 5, "all", f"no asset has the GUID {guid(700 + number)}") for number in range(3)],
        *[
            ("dangling", 6 + number, "at", f"refers to object {number + 1} of Assets/target.asset")
            for number in range(3)
        ],
        ("missing-asset", 5, "", "6 more findings of the kind in this file"),
        ("dangling", 9, "", "2 more findings of the kind in this file"),
    ]
    project = open_project(str(root), str(root / "out"))
    counts = judge_project(project).counts
    project.close()
    of_scene = 1  # one of each
    assert counts["missing", "missing-asset"] == 9 + of_scene
    assert counts["unnamed", "dangling"] == 5 + of_scene


def test_an_object_has_the_class_of_a_dll_until_that_is_another(root: Path) -> None:
    lever = script_file_id("Acme", "Lever")
    types = [TypeRow("Acme", "Lever", 1, ("ref", 1))]
    layout = Layout(type_refs=1, refs=(("UnityEngine", "MonoBehaviour"),))
    write(root, "Assets/Lib.dll", 64, dll(types, layout), "PluginImporter:\n  userData: \n")
    refers = root / "Assets/refers.asset"
    refers.write_text(refers.read_text().replace("fileID: 11500000", f"fileID: {lever}").replace(guid(61), guid(64)))
    time.sleep(SETTLED)
    assert [row for row in messages(found(root)) if "object 5" in row] == [said("Lever", "Assets/target.asset")]
    (root / "Assets/Lib.dll").write_bytes(dll([TypeRow("Acme", "Crank", 1, ("ref", 1))], layout))
    time.sleep(SETTLED)
    assert [row for row in messages(found(root)) if "object 5" in row] == [said("Lib", "Assets/target.asset")]
