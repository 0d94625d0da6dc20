"""Objects by line, beside the documents of the whole file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.query.selecting.answer_form import asset_part, object_at
from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve.sizes import LARGEST
from assetdb.unity.yaml.documents import documents
from tests.assetdb.unity_project import HEAD, game_object, guid, write

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.resolve.resolver import Resolver


def resolver_of(root: Path, text: str) -> Resolver:
    (root / "ProjectSettings").mkdir(parents=True)
    write(root, "Assets/A.unity", 1, text.encode())
    return open_project(str(root), str(root / "out")).resolver


def expected(text: str, line: int) -> int | None:
    data = text.encode().replace(b"\r\n", b"\n")
    end = sum(len(row) + 1 for row in data.split(b"\n")[:line]) - 1
    return next((found.file_id for found in reversed(documents(data)) if found.start <= end), None)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_line_is_of_the_object_around_it(tmp_path: Path, line_end: str) -> None:
    text = HEAD + "".join(game_object(number, "A\n--- !u! &7") for number in (1000, -2000, 3000))
    text = text.replace("\n", line_end)
    resolver = resolver_of(tmp_path, text)
    lines = range(1, text.count("\n") + 2)
    assert [object_at(resolver, guid(1), line) for line in lines] == [expected(text, line) for line in lines]
    assert object_at(resolver, guid(1), 3001) == 3001
    assert object_at(resolver, guid(1), len(lines) + 1) == len(lines) + 1


@pytest.mark.long
def test_lines_are_counted_through_a_file_of_several_blocks(tmp_path: Path) -> None:
    wide = "x" * 6_000_000
    text = HEAD + "".join(game_object(number * 1_000_000, wide if number == 3 else "A") for number in range(1, 6_000))
    resolver = resolver_of(tmp_path, text)
    for line in (4, 23, 24, 40, 41, 42, 6_000, 40_000, text.count("\n")):
        assert object_at(resolver, guid(1), line) == expected(text, line), line


@pytest.mark.long
def test_of_a_file_that_is_not_opened_objects_are_found_too(tmp_path: Path) -> None:
    text = HEAD + game_object(1000, "A") + game_object(7_000_000, "B" * LARGEST)
    resolver = resolver_of(tmp_path, text)
    assert [object_at(resolver, guid(1), number) for number in (5, 7_000_000, 7_000_001, 20, 99)] == [
        *(1000, 7_000_000, 7_000_001, 7_000_001, 99),
    ]


@pytest.mark.parametrize(
    ("text", "asset"),
    [
        ("X.unity / Canvas / Popup", "X.unity"),
        ("Tool.cs [com.acme.tools] / Tool", "Tool.cs"),
        ("X.unity (Scene)", "X.unity"),
        ("[odd] / Popup", "[odd]"),
        ("Player", ""),
    ],
)
def test_the_part_that_names_the_asset(text: str, asset: str) -> None:
    assert asset_part(text) == asset
