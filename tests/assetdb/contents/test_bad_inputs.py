"""Damaged, circular and very large assets through ``ls``, ``get`` and the assistants' tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts.fuzz.contents import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.long
@pytest.mark.parametrize(
    ("megabytes", "levels", "references", "sent"), [(1, 30, 2000, 1 << 24), (200, 300, 76_000, 1 << 28)]
)
def test_every_question_has_an_answer(tmp_path: Path, megabytes: int, levels: int, references: int, sent: int) -> None:
    found = list(run(tmp_path, megabytes=megabytes, levels=levels, references=references, gigabyte=sent))
    said = {row.name: row.answer for row in found}
    assert "Git LFS pointer" in said["ls Assets/Pointer.prefab"]
    assert "is binary" in said["get Assets/Binary.unity"]
    assert "cannot be opened" in said["get Assets/Lost.prefab:8000"]
    assert said["mcp, one id twice"] == "2 answers"
    assert said['mcp ls {"query": "Assets/Levels/1.prefab"}'].endswith(f" {levels} objects")
