"""Uses of the marks of all scripts are inputs: an edit that changes none leaves answers as they are."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.memo.facts import FileFacts
from assetdb.memo.inputs import KINDS, MARKS
from assetdb.memo.marks import TYPES
from assetdb.memo.memo import Codec, Memo
from assetdb.memo.script_facts import MARKS as MARKS_OF_SCRIPTS
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.scripts.marks import read_marks
from tests.assetdb.unity_project import make_project
from tests.assetdb.unity_project import write as write_asset

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.memo.view import View

SCRIPT = "Assets/Scripts/Health.cs"
TEXT = Codec(lambda found: str(found).encode(), lambda data: data.decode())


def types(root: Path, runs: list[str]) -> str:
    """Return the types of all scripts as a process says that keeps its answer."""
    project = open_project(str(root))
    memo = Memo(project.folder, project.root)

    def read(view: View) -> str:
        runs.append("read")
        return " ".join(name for each in view.marked(TYPES).values() for name, _ in each)

    found = memo.derive(memo.inputs(project), "types", "1", read, TEXT)
    memo.write()
    project.close()
    return found


def write(root: Path, text: str) -> None:
    """Write the script, with a time of long ago."""
    path = root / SCRIPT
    path.write_text(text, newline="\n")
    status = os.stat(path)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - len(text) * 10**9))


@pytest.mark.parametrize(
    ("text", "expected", "count"),
    [
        ("// Lives\nclass Health {}\n", "Health", 1),
        ("class Health {}\nclass Lives : Health {}\n", "Health Lives", 2),
        ("", "", 2),
    ],
)
def test_an_answer_is_derived_again_only_if_a_mark_changed(
    tmp_path: Path, text: str, expected: str, count: int
) -> None:
    root = make_project(tmp_path)
    write(root, "class Health {}\n")
    runs: list[str] = []
    assert types(root, runs) == types(root, runs) == "Health"
    assert len(runs) == 1
    write(root, text)
    assert types(root, runs) == types(root, runs) == expected
    assert len(runs) == count


def test_a_process_after_an_edit_compares_the_tree_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_project(tmp_path)
    write(root, "class Health {}\n")
    runs: list[str] = []
    types(root, runs)
    write(root, "// Lives\nclass Health {}\n")
    time.sleep(0.1)  # until its time shows a later change
    types(root, runs)
    types(root, runs)
    monkeypatch.setitem(KINDS, MARKS, lambda *_: pytest.fail("the marks are looked at"))
    assert types(root, runs) == "Health"
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("class Health {}\nclass Other {}\n", 1),
        ("class Health {}\nclass Lives : Mana {}\n", 2),
        ("class Health {}\nclass Mana {}\n", 2),
    ],
)
def test_an_answer_that_looked_for_names_is_derived_again_only_for_these_names(
    tmp_path: Path, text: str, count: int
) -> None:
    root = make_project(tmp_path)
    write(root, "class Health {}\n")
    runs: list[str] = []

    def answer() -> str:
        project = open_project(str(root))
        memo = Memo(project.folder, project.root)

        def read(view: View) -> str:
            runs.append("read")
            return repr([view.mentions(name) for name in ("Lives", "Mana")])

        found = memo.derive(memo.inputs(project), "names", "1", read, TEXT)
        memo.write()
        project.close()
        return found

    assert answer() == answer() == "[[], []]"
    write(root, text)
    assert answer() == answer()
    assert len(runs) == count


@pytest.mark.parametrize(
    ("number", "text", "expected", "count"),
    [
        (4, "class Four {}\n", "None", 1),  # the first four are enough to tell
        (4, "// no code\n", "None", 1),
        (0, "class Zero {}\n", "None", 2),
    ],
)
def test_an_answer_about_scripts_that_are_mostly_empty_rests_on_some_of_them(
    tmp_path: Path, number: int, text: str, expected: str, count: int
) -> None:
    root = make_project(tmp_path)
    paths = [f"Assets/Scripts/Empty{each}.cs" for each in range(6)]
    for each, path in enumerate(paths):
        write_asset(root, path, 100 + each, "")
    runs: list[str] = []

    def answer(most: int = 3) -> str:
        project = open_project(str(root))
        memo = Memo(project.folder, project.root)

        def read(view: View) -> str:
            runs.append("read")
            return repr(view.empty_among(paths, most))

        found = memo.derive(memo.inputs(project), f"empty {most}", "1", read, TEXT)
        memo.write()
        project.close()
        return found

    assert answer() == answer() == "None"
    (root / paths[number]).write_text(text)
    assert answer() == answer() == expected
    assert len(runs) == count
    assert answer(6) == repr(paths if "class" not in text else [*paths[:number], *paths[number + 1 :]])
    (root / paths[5]).write_text("class Five {}\n")
    assert paths[5] not in answer(6)


def test_facts_of_many_files_are_those_of_each(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    write(root, "class Health {}\n")
    time.sleep(0.1)
    runs: list[str] = []
    types(root, runs)
    project = open_project(str(root))
    inputs = Memo(project.folder, project.root).inputs(project)
    paths = [*inputs.scripts, "Assets/None.cs"]
    assert inputs.facts_of_all(MARKS_OF_SCRIPTS, paths) == {
        path: inputs.facts_of(MARKS_OF_SCRIPTS, path) for path in paths
    }
    project.close()


def test_a_damaged_fact_is_read_again() -> None:
    facts = FileFacts(lambda _: None)
    facts.add(MARKS_OF_SCRIPTS, "a.cs", 1, ())
    facts.add(MARKS_OF_SCRIPTS, "b.cs", 2, read_marks(b"class B {}"))
    assert facts.find_all(MARKS_OF_SCRIPTS, {"b.cs": 2}) == {"b.cs": (2, read_marks(b"class B {}"))}
    assert facts.find_all(MARKS_OF_SCRIPTS, {"b.cs": 3, "c.cs": 1}) == {}
    assert facts.find_all(MARKS_OF_SCRIPTS, {"a.cs": 1, "b.cs": 2}) == {}
