"""Entries read from git's output."""

from __future__ import annotations

import pytest

from assetdb.errors import HistoryError
from assetdb.history.git.entries import (
    FILE,
    LINK,
    SUBMODULE,
    Entry,
    commits_in,
    differences_in,
    files_of_index,
    files_of_tree,
)

ONE, TWO = "1" * 40, "2" * 40


def test_a_tree_has_files_links_and_submodules() -> None:
    listed = f"100644 blob {ONE}\tA b\n\0" + f"120000 blob {TWO}\tLink\0" + f"160000 commit {ONE}\tSub\0"
    found = files_of_tree(listed.encode())
    assert found == {
        b"A b\n": Entry(0o100644, ONE),
        b"Link": Entry(0o120000, TWO),
        b"Sub": Entry(0o160000, ONE),
    }
    assert [entry.kind for entry in found.values()] == [FILE, LINK, SUBMODULE]
    assert files_of_tree(b"") == {}


def test_the_sides_of_a_conflict_are_no_entries_of_the_index() -> None:
    rows = [f"100755 {ONE} 0\tA", f"100644 {ONE} 1\tB", f"100644 {TWO} 2\tB", f"100644 {TWO} 3\tB"]
    assert files_of_index("\0".join([*rows, ""]).encode()) == {b"A": Entry(0o100755, ONE)}


def test_differences_name_the_old_side() -> None:
    rows = [
        (f":100644 100644 {ONE} {TWO} M", "changed"),
        (f":000000 100644 {'0' * 40} {TWO} A", "added"),
        (f":100644 000000 {ONE} {'0' * 40} D", "deleted"),
        (f":100644 100644 {ONE} {'0' * 40} U", "in conflict"),
    ]
    raw = "".join(f"{head}\0{path}\0" for head, path in rows).encode()
    old = Entry(0o100644, ONE)
    assert list(differences_in(raw)) == [
        (b"changed", old, False),
        (b"added", None, False),
        (b"deleted", old, False),
        (b"in conflict", old, True),
    ]
    assert list(differences_in(b"")) == []


def test_the_commits_of_a_log_have_their_files() -> None:
    log = f'\x01two\0\n:100644 000000 {ONE} {"0" * 40} D\0:a "b"\0:100644 100644 {ONE} {TWO} M\0c\n\0\x01one\n\0'
    assert list(commits_in(log.encode())) == [
        ("two", {b':a "b"': ("D", ONE, "0" * 40), b"c\n": ("M", ONE, TWO)}),
        ("one", {}),
    ]
    assert list(commits_in(b"")) == []


def test_other_output_is_refused() -> None:
    with pytest.raises(HistoryError, match="unexpected output of git diff"):
        list(differences_in(b"warning: something\0path\0"))
