"""What a plan shows of itself: a unified diff that git can apply."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.mending.plan import Edit, Move, Plan
from tests.needs import needs_git

if TYPE_CHECKING:
    from pathlib import Path

MANY = b"".join(b"line %d\n" % number for number in range(60))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n"),
        (b"a\nb", b"a\nc"),
        (b"a\r\nb\r\n", b"a\r\nc\r\n"),
        (None, b"new\nfile\n"),
        (None, b"no end"),
        (b"gone\n", None),
        (MANY, MANY.replace(b"line 3\n", b"LINE 3\n").replace(b"line 8\n", b"LINE 8\n").replace(b"line 50", b"L")),
        (MANY, MANY.replace(b"line 0\n", b"first\n").replace(b"line 59\n", b"last\n")),
        (b"a\nb\n", b"a\nb\nc\n"),
        (b"a\nb", b"a\nb\nc\n"),
        (b"a\nb\nc", b"a\nb"),
        (b"a\r\nb\r\n", b"a\r\nb\r\nc"),
        (b"@@", b"@@\n@@ -1 +1 @@"),
        (None, b""),
        (b"", None),
    ],
)
@needs_git
def test_git_applies_the_diff(tmp_path: Path, before: bytes | None, after: bytes | None) -> None:
    file = tmp_path / "Assets" / "a.txt"
    file.parent.mkdir()
    if before is not None:
        file.write_bytes(before)
    diff = "\n".join(Plan((Edit("Assets/a.txt", before, after),)).diff()) + "\n"
    (tmp_path / "x.diff").write_bytes(diff.encode())
    done = subprocess.run(
        ["git", "apply", "--unsafe-paths", "x.diff"], cwd=tmp_path, capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (file.read_bytes() if file.exists() else None) == after


def test_moves_and_removals_are_shown() -> None:
    plan = Plan(moves=(Move("Assets/a", "Assets/b"),), removals=("Assets/c", "Assets/c.meta"), folders=("Assets/c",))
    assert list(plan.diff()) == [
        *("diff --git a/Assets/a b/Assets/b", "rename from Assets/a", "rename to Assets/b"),
        *("diff --git a/Assets/c b/Assets/c", "deleted, with all that is in it"),
        *("diff --git a/Assets/c.meta b/Assets/c.meta", "deleted"),
    ]
    assert not plan.is_empty
    assert Plan().is_empty
