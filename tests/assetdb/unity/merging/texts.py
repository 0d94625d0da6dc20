"""Texts of a scene for tests of merges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.unity.merging.files import Merged, merge_files

if TYPE_CHECKING:
    from assetdb.unity.merging.pieces import Conflict

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
GUID = "0123456789abcdef0123456789abcdef"


def behaviour(fields: str, file_id: int = 100) -> str:
    """Return a MonoBehaviour with some lines of fields."""
    return f"--- !u!114 &{file_id}\nMonoBehaviour:\n  m_Name: a\n{fields}  last: 0\n"


def merged(base: str, ours: str, theirs: str) -> Merged:
    """Return the merge of three versions of a file's objects."""
    return merge_files(*((HEAD + text).encode() for text in (base, ours, theirs)))


def fields_merged(base: str, ours: str, theirs: str) -> str:
    """Return the merged fields of one component; the merge has no conflict."""
    result = merged(*(behaviour(fields) for fields in (base, ours, theirs)))
    assert not result.conflicts
    text = result.data(nothing).decode()
    before, behind = behaviour("\n").split("\n\n")
    return text.removeprefix(HEAD + before + "\n").removesuffix(behind)


def fields_open(base: str, ours: str, theirs: str) -> list[tuple[str, str, str, str]]:
    """Return last key, base, ours and theirs of each conflict in the fields of one component."""
    found = merged(*(behaviour(fields) for fields in (base, ours, theirs))).conflicts
    return [
        (one.place[-1] if one.place else "", one.base.decode(), one.ours.decode(), one.theirs.decode()) for one in found
    ]


def nothing(_: Conflict) -> bytes:
    return b""
