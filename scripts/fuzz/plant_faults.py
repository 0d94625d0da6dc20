"""Kinds of faults that a project can have: each is planted by an edit, and expects findings.

A kind is a function under ``@fault`` that takes a :class:`~scripts.fuzz.plant_tree.Tree` and a chooser and returns a
:class:`Planted`, or None where the project has no place for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scripts.fuzz.plant_tree import Document, Reference, Tree

Fault: TypeAlias = "Callable[[Tree, random.Random], Planted | None]"
MOST_USERS: Final = 5
LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d7a" * 16 + b"\nsize 12345\n"
CONFLICT: Final = (b"<<<<<<< HEAD\n", b"=======\n", b">>>>>>> theirs\n")
SCRIPT_FILE_ID: Final = 11500000
LOST: Final = ("missing-asset", "missing-script", "dangling", "target-absent", "asmdef-reference", "addressables-entry")


class Expected(NamedTuple):
    """One finding that has to come; what is 0 or empty is not compared.

    Attributes:
        codes: any of these.
        path: of the file that is blamed.
        line: counted from 1.
        anchor: fileID of the object.
        name: property, as the last name of the finding's property path.
        message: a word of the message.
    """

    codes: Sequence[str]
    path: str
    line: int = 0
    anchor: int = 0
    name: str = ""
    message: str = ""


class Planted(NamedTuple):
    """A fault at a place.

    Attributes:
        edits: new bytes by path, None for a file that is deleted.
        expected: findings, all of which have to come.
        words: paths and GUIDs by which any other finding is explained by this fault.
        is_new: whether what is meant is nothing that the project ever had, and an absent package may have it.
        needs_history: whether without git's history nothing can tell it where a package is unknown.
    """

    edits: Mapping[str, bytes | None]
    expected: Sequence[Expected]
    words: frozenset[str] = frozenset()
    needs_history: bool = False
    is_new: bool = False


FAULTS: Final[dict[str, Fault]] = {}


def fault(function: Fault) -> Fault:
    """Register a kind of fault under the name of its function."""
    FAULTS[function.__name__.replace("_", "-")] = function  # type: ignore[attr-defined]
    return function


def spread(items: Sequence[Reference], chooser: random.Random) -> list[Reference]:
    """Choose a few references, at most one a file."""
    by_path = {item.path: item for item in chooser.sample(items, len(items))}
    return list(by_path.values())[:MOST_USERS]


def lost(references: Iterable[Reference], codes: Sequence[str] = LOST) -> list[Expected]:
    """Expect a finding for each of some references."""
    return [
        Expected(
            ("missing-script", "missing-asset") if item.name == "m_Script" else codes,
            item.path,
            item.line,
            item.document.file_id,
            item.name,
        )
        for item in references
    ]


def used(tree: Tree, chooser: random.Random) -> str | None:
    """Choose an asset that others refer to."""
    candidates = tree.pool(
        "used",
        lambda: (
            path
            for path in tree.guid_of
            if path.startswith("Assets/") and (tree.root / path).is_file() and plain_users(tree, path)
        ),
    )
    return chooser.choice(candidates) if candidates else None


def draw(chooser: random.Random) -> str:
    """Draw a GUID."""
    return f"{chooser.getrandbits(128):032x}"


def beside(path: str, addition: str) -> str:
    """Put an addition before the extension of a path."""
    stem, dot, extension = path.rpartition(".")
    return f"{stem}{addition}{dot}{extension}"


def plain_users(tree: Tree, path: str) -> list[Reference]:
    """Return references to an asset that are no part of a list of overrides."""
    return [
        item
        for item in tree.users.get(tree.guid_of[path], ())
        if item.path != path
        and item.name not in {"target", "m_CorrespondingSourceObject"}
        and not item.document.stripped
    ]


def edited(tree: Tree, item: Reference, old: bytes, new: bytes) -> Mapping[str, bytes | None]:
    """Replace bytes on the line of a reference."""
    lines = tree.lines(item.path)
    if old not in lines[item.line - 1]:
        raise ValueError(f"{old!r} is not at {item}")
    lines[item.line - 1] = lines[item.line - 1].replace(old, new, 1)
    return {item.path: b"".join(lines)}


def any_reference(tree: Tree, chooser: random.Random, fits: Callable[[Reference], bool]) -> Reference | None:
    """Choose one of the references that fit; the project is searched once a predicate."""
    key = fits.__code__, *(cell.cell_contents for cell in fits.__closure__ or () if cell.cell_contents is not tree)
    key = tuple(tuple(part) if isinstance(part, (list, set)) else part for part in key)
    candidates = tree.pool(key, lambda: (item for path in tree.yaml for item in tree.references(path) if fits(item)))
    return chooser.choice(candidates) if candidates else None


def is_plain(item: Reference) -> bool:
    """Tell a reference to another asset that is no script and no part of an override."""
    return (
        bool(item.guid)
        and not item.guid.startswith("0000000000000000")
        and not item.document.stripped
        and item.document.class_id != 1001
        and item.name not in {"target", "m_CorrespondingSourceObject", "m_Script"}
    )


def written(item: Reference) -> bytes:
    """Return the beginning of a reference as Unity writes it."""
    return b"{fileID: %d, guid: %s" % (item.file_id, item.guid.encode())


def without(tree: Tree, path: str, document: Document) -> bytes:
    """Return a file less one of its documents."""
    lines = tree.lines(path)
    return b"".join(lines[: document.line - 1] + lines[document.end - 1 :])
