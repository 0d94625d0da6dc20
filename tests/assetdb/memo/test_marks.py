"""The marks of all scripts are one input: an edit that changes none leaves answers as they are."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.memo.inputs import KINDS, MARKS
from assetdb.memo.memo import Codec, Memo
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import make_project

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
        return " ".join(name for each in view.marks.values() for name, _ in each.types)

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
