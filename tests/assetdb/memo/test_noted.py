"""Inputs as bytes: what is packed comes back, and what nobody packed is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.memo.file import columns, split_columns
from assetdb.memo.noted import (
    csharp_uses,
    inputs_of_edits,
    packed_csharp_uses,
    packed_head,
    packed_scanned,
    unpacked_head,
    unpacked_scanned,
)
from assetdb.system.identity import RACY

if TYPE_CHECKING:
    from assetdb.memo.inputs import Input, Value

NOTED: dict[Input, Value] = {
    ("content", "Assets/a.mat"): -(1 << 100),
    ("declarations of C#", "Assets/a.cs"): 1 << 100,
    ("existence", "Assets/\udcff.png"): 1,
    ("files", "a\0b"): "12",
    ("tree", ""): "",
}


def test_a_head_comes_back_with_the_types_of_its_values() -> None:
    assert unpacked_head(packed_head("1", "ab", "", NOTED)) == ("1", "ab", "", NOTED)
    assert unpacked_head(packed_head("2", "", "cd", {})) == ("2", "", "cd", {})


def test_scanned_inputs_come_back() -> None:
    assert unpacked_scanned(packed_scanned(NOTED)) == NOTED


SCANNED: dict[Input, Value] = {
    ("content", "Assets/a.mat"): 5,
    ("declarations of C#", "Assets/a.cs"): 6,
    ("existence", "Assets/b.cs"): 1,
    ("marks", "type A"): "",
}


def test_uses_of_scripts_are_equal_from_bytes() -> None:
    wanted = {("declarations of C#", "Assets/a.cs"), ("existence", "Assets/b.cs"), ("marks", "type A")}
    assert csharp_uses(SCANNED) == packed_csharp_uses(packed_scanned(SCANNED)) == wanted


def test_contents_without_their_paths_are_refused() -> None:
    parts = split_columns(packed_scanned(SCANNED))
    assert inputs_of_edits(columns(parts), ["Assets/a.mat"])
    with pytest.raises(ValueError, match="argument"):
        inputs_of_edits(columns(parts[:-1]), ["Assets/a.mat"])


def test_a_use_of_twins_is_there_by_its_parts() -> None:
    used = csharp_uses({("marks", "twins A\0B"): "5"})
    assert used == {("marks", "new twins"), ("marks", "named A"), ("marks", "named B")}


def test_an_answer_that_rests_on_the_whole_tree_may_use_all_files() -> None:
    assert csharp_uses({("tree", ""): "5"}) is None


@pytest.mark.parametrize("key", list(SCANNED))
def test_uses_are_unknown_where_a_file_changed_while_it_was_read(key: Input) -> None:
    uncertain = {**SCANNED, key: RACY}
    assert csharp_uses(uncertain) is packed_csharp_uses(packed_scanned(uncertain)) is None


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ([], "not enough values"),
        (["1", "2"], "not enough values"),
        (["1", "", "", "tree"], "a field too few, or of an unknown type"),
        (["1", "", "", "tree", "", "number", "x"], "invalid literal"),
        (["1", "", "", "tree", "", "bytes", "1"], "a field too few, or of an unknown type"),
        (["1", "", "", "of nothing", "", "number", "1"], "of an unknown kind"),
    ],
)
def test_a_head_that_nobody_packed_is_refused(parts: list[str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        unpacked_head(columns([part.encode() for part in parts]))


def test_bytes_that_are_no_head_are_refused() -> None:
    with pytest.raises(ValueError, match="columns"):
        unpacked_head(b"{}")
