"""Faults planted by edits, and the findings expected of them.

A kind is a function under ``@fault`` that takes a :class:`Planter` and returns a :class:`Planted`; it raises
:class:`NoPlaceError` where the project has no place for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias, TypeVar

from scripts.fuzz.plant_tree import Document, Reference, Tree

T = TypeVar("T")
Fault: TypeAlias = "Callable[[Planter], Planted]"
MOST_USERS: Final = 5
LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d7a" * 16 + b"\nsize 12345\n"
CONFLICT: Final = (b"<<<<<<< HEAD\n", b"=======\n", b">>>>>>> theirs\n")
_TEXTS: Final = (".prefab", ".unity", ".mat", ".asset", ".anim", ".controller")
SCRIPT_FILE_ID: Final = 11500000
LOST: Final = ("missing-asset", "missing-script", "dangling", "target-absent", "asmdef-reference", "addressables-entry")


class Expected(NamedTuple):
    """One finding that has to come; what is 0 or empty is not compared."""

    codes: Sequence[str]  # any of these
    path: str  # of the file that is blamed
    line: int = 0  # counted from 1
    anchor: int = 0  # fileID of the object
    name: str = ""  # property, as the last name of the finding's property path
    message: str = ""  # a word of the message
    about: Sequence[str] = ()  # words of which the finding has to have one: paths, and GUIDs


class Planted(NamedTuple):
    """A fault at a place."""

    edits: Mapping[str, bytes | None]  # new bytes by path, None for a file that is deleted
    expected: Sequence[Expected]  # findings, all of which have to come
    words: frozenset[str] = frozenset()  # paths and GUIDs by which any other finding is explained by this fault
    needs_history: bool = False  # whether without git's history nothing can tell it where a package is unknown
    is_new: bool = False  # whether the project never had what is meant: an absent package may have it
    loose: Mapping[str, bytes] = MappingProxyType({})  # files that are on the disk, and not in the commit
    in_git: bool = False  # whether only a repository tells it
    needed: frozenset[str] = frozenset()  # paths that have to stay: a script in the one scene of the build is in use


FAULTS: Final[dict[str, Fault]] = {}


def fault(function: Fault) -> Fault:
    """Register a kind of fault under the name of its function."""
    FAULTS[function.__name__.replace("_", "-")] = function
    return function


def rewriting(choose: Callable[[Planter], str], code: str, text: Callable[[Planter, str], bytes]) -> Fault:
    """Return a fault that puts other bytes in the place of a file."""

    def plant(at: Planter) -> Planted:
        path = choose(at)
        return at.changed(path, text(at, path), code)

    return plant


class NoPlaceError(Exception):
    """A project has no place for a kind of fault."""


class Planter:
    """A project, and the choice of places in it."""

    def __init__(self, tree: Tree, chooser: random.Random) -> None:
        self.tree = tree
        self.chooser = chooser

    def one_of(self, items: Sequence[T]) -> T:
        """Choose one.

        Raises:
            NoPlaceError: there is none.
        """
        if not items:
            raise NoPlaceError
        return self.chooser.choice(items)

    def shuffled(self, items: list[T]) -> list[T]:
        """Return items in any order."""
        self.chooser.shuffle(items)
        return items

    def guid(self) -> str:
        """Draw a GUID."""
        return f"{self.chooser.getrandbits(128):032x}"

    def file_id(self) -> int:
        """Draw a fileID that nothing has."""
        return self.chooser.randrange(1 << 40, 1 << 62)

    def used(self) -> str:
        """Choose an asset that others refer to."""
        tree = self.tree
        return self.one_of(
            tree.pool(
                "used",
                lambda: (
                    path
                    for path in tree.guid_of
                    if path.startswith("Assets/") and (tree.root / path).is_file() and plain_users(tree, path)
                ),
            )
        )

    def text_asset(self) -> str:
        """Choose a YAML file with two documents or more."""
        tree = self.tree
        return self.one_of(
            [
                path
                for path in tree.yaml
                if path in tree.guid_of and path.endswith(_TEXTS) and len(tree.documents[path]) >= 2
            ]
        )

    def reference(self, fits: Callable[[Reference], bool]) -> Reference:
        """Choose one of the references that fit."""
        own = (self, self.tree)
        key = fits.__code__, *(cell.cell_contents for cell in fits.__closure__ or () if cell.cell_contents not in own)
        key = tuple(tuple(part) if isinstance(part, (list, set)) else part for part in key)
        tree = self.tree
        return self.one_of(
            tree.pool(key, lambda: (item for path in tree.yaml for item in tree.references(path) if fits(item)))
        )

    def spread(self, items: Sequence[Reference]) -> list[Reference]:
        """Choose a few references, at most one a file."""
        by_path = {item.path: item for item in self.chooser.sample(items, len(items))}
        return list(by_path.values())[:MOST_USERS]

    def words(self, path: str, *more: str) -> frozenset[str]:
        """Return an asset's path, its GUID and its users."""
        guid = self.tree.guid_of.get(path)
        users = () if guid is None else (guid, *(item.path for item in self.tree.users.get(guid, ())))
        return frozenset((path, *users, *more))

    def changed(self, path: str, text: bytes | None, code: str, line: int = 0) -> Planted:
        """Change a file, which is blamed for it."""
        return Planted({path: text}, [Expected((code,), path, line)], self.words(path))

    def in_conflict(self, path: str, first: int) -> Planted:
        """Leave a merge unresolved behind the first lines of a file."""
        lines = self.tree.lines(path)
        place = self.chooser.randrange(first, len(lines))
        lines[place:place] = [CONFLICT[0], lines[place - 1], CONFLICT[1], lines[place - 1], CONFLICT[2]]
        return self.changed(path, b"".join(lines), "conflict-markers", place + 1)


def lost(references: Iterable[Reference], codes: Sequence[str] = LOST) -> list[Expected]:
    """Expect a finding for each of some references."""
    return [
        blamed(item, ("missing-script", "missing-asset") if item.name == "m_Script" else codes) for item in references
    ]


def blamed(item: Reference, codes: Sequence[str]) -> Expected:
    """Expect a finding at a reference."""
    return Expected(codes, item.path, item.line, item.document.file_id, item.name)


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


def retargeted(tree: Tree, item: Reference, file_id: int, guid: str = "") -> Mapping[str, bytes | None]:
    """Let a reference mean another object."""
    old, new = (b"{fileID: %d" % number for number in (item.file_id, file_id))
    if guid:
        old, new = old + b", guid: %s" % item.guid.encode(), new + b", guid: %s" % guid.encode()
    return edited(tree, item, old, new)


def is_plain(item: Reference) -> bool:
    """Tell a reference to another asset that is no script and no part of an override."""
    return (
        bool(item.guid)
        and not item.guid.startswith("0000000000000000")
        and not item.document.stripped
        and item.document.class_id != 1001
        and item.name not in {"target", "m_CorrespondingSourceObject", "m_Script"}
    )


def without(tree: Tree, path: str, document: Document) -> bytes:
    """Return a file less one of its documents."""
    lines = tree.lines(path)
    return b"".join(lines[: document.line - 1] + lines[document.end - 1 :])


def meta(guid: str, importer: str) -> bytes:
    """Return a meta."""
    return f"fileFormatVersion: 2\nguid: {guid}\n{importer}:\n  externalObjects: {{}}\n".encode()
