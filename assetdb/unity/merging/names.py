"""Names of open values: object, field, and versions.

::

    Player / Body (Transform) m_LocalPosition: (0, 1, 0) -> ours (0, 2, 0), theirs (1, 1, 0)
"""

from __future__ import annotations

import re

from assetdb.unity.merging.envelope import UnmergeableError, body_start, class_of, is_stripped, read_version
from assetdb.unity.referring.reach import INSTANCE, TRANSFORMS
from assetdb.unity.yaml.structure import COMPONENT, FATHER, OF_INSTANCE, OWNER, PLACED
from assetdb.unity.yaml.text_asset import name_of_document
from assetdb.unity.yaml.tree import LIST, UnreadableError, read_tree

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from assetdb.unity.merging.pieces import Conflict
    from assetdb.unity.yaml.tree import Tree

NOTHING: Final = "nothing"
_GAME_OBJECT: Final = 1
_LONGEST: Final = 60
_DEEPEST: Final = 200
_NAME_OVERRIDE: Final = re.compile(rb"\n      propertyPath: m_Name\n      value: ([^\n]*)")
_FILE_ID: Final = re.compile(r"fileID:(-?\d{1,20})")


class Names:
    """Names of the objects of a file, of whichever version has them."""

    def __init__(self, versions: Sequence[bytes], asset: Callable[[str], str] = lambda _: "") -> None:
        """Read the versions, the most important first.

        One that cannot be read names nothing.

        Args:
            versions: of the file.
            asset: returns the path of the asset with a GUID, or ``""``.
        """
        self._asset = asset
        self._parts: dict[int, bytes] = {}
        for data in versions:
            try:
                objects = read_version(data).objects
            except UnmergeableError:
                continue
            for (file_id, _), part in objects.items():
                self._parts.setdefault(file_id, part)

    def of_object(self, file_id: int) -> str:
        """Return an object's name with its path and class."""
        part = self._parts.get(file_id)
        if part is None:
            return f"fileID {file_id}" if file_id else ""
        class_id = class_of(part)
        if class_id == _GAME_OBJECT:
            return self._path(file_id)
        owner = OWNER.search(part)
        kind = _class_name(part)
        if owner is not None and int(owner[1]):
            return f"{self._path(int(owner[1]))} ({kind})"
        if class_id == INSTANCE or is_stripped(part):
            return f"{self._instance_path(file_id)} ({kind})"
        return f"{_name(part) or f'fileID {file_id}'} ({kind})"

    def _path(self, game_object: int) -> str:
        """Return the names of a GameObject and of its parents."""
        names: list[str] = []
        current = game_object
        while current in self._parts and len(names) < _DEEPEST:
            part = self._parts[current]
            if class_of(part) == INSTANCE or is_stripped(part):
                return " / ".join([self._instance_path(current), *reversed(names)])
            names.append(_name(part) or f"fileID {current}")
            current = self._owner_of_father(part)
        return " / ".join(reversed(names)) or f"fileID {game_object}"

    def _owner_of_father(self, part: bytes) -> int:
        """Return the GameObject above one, or 0."""
        for row in COMPONENT.finditer(part):
            transform = self._parts.get(int(row[1]), b"")
            if class_of(transform) in TRANSFORMS:
                father = FATHER.search(transform)
                above = self._parts.get(int(father[1]), b"") if father is not None else b""
                if is_stripped(above):
                    return int(father[1]) if father is not None else 0
                owner = OWNER.search(above)
                return int(owner[1]) if owner is not None else 0
        return 0

    def _instance_path(self, file_id: int) -> str:
        """Return the name of a prefab's instance below its parent."""
        part = self._parts[file_id]
        if is_stripped(part):
            found = OF_INSTANCE.search(part)
            part = self._parts.get(int(found[1]), b"") if found is not None else b""
        named = _NAME_OVERRIDE.search(part)
        name = named[1].decode("utf-8", "replace") if named is not None else "a prefab"
        parent = PLACED.search(part)
        above = self._parts.get(int(parent[1]), b"") if parent is not None else b""
        owner = OWNER.search(above)
        return f"{self._path(int(owner[1]))} / {name}" if owner is not None and not is_stripped(above) else name

    def of_place(self, conflict: Conflict) -> str:
        """Return object and field of an open value."""
        place = conflict.place[1:] if conflict.file_id else conflict.place
        words = [self._row(word) for word in place]
        return " ".join([word for word in (self.of_object(conflict.file_id), ".".join(words)) if word])

    def _row(self, word: str) -> str:
        """Return a key, or a row by its reference or override."""
        target, separator, path = word.rpartition("\0")
        if separator:
            return f"[{path} of {self._referred(target)}]"
        return f"[{self._referred(word)}]" if "\1" in word or word.isdigit() else word

    def _referred(self, word: str) -> str:
        """Return the name of the object that a row's identity refers to."""
        found = _FILE_ID.search(word)
        if found is None:
            return word
        file_id = int(found[1])
        return self.of_object(file_id) if file_id in self._parts else f"fileID {file_id}"

    def of_value(self, text: bytes) -> str:
        """Return a version of an open value in a few words."""
        if not text.strip():
            return NOTHING
        lines = text.count(b"\n")
        if text.startswith(b"--- "):
            return f"the object ({lines} lines)"
        try:
            return self._shown(read_tree(b"\n" + text), lines)
        except UnreadableError:
            return f"{lines} lines"

    def _shown(self, tree: Tree, lines: int) -> str:
        """Return the lines of a version in a few words.

        Raises:
            UnreadableError: they are not as Unity writes them.
        """
        if len(tree.entries) != 1:
            return f"{len(tree.entries)} rows" if tree.kind == LIST else f"{lines} lines"
        value = tree.entries[0].value
        if tree.kind == LIST and len(value.entries) == 1 and not value.flow:
            value = value.entries[0].value
        elif tree.kind == LIST and value.get("propertyPath") is not None:
            value = value.get("value") or value
        return self._value(value, lines)

    def _value(self, value: Tree, lines: int) -> str:
        if not value.entries:
            text = value.text if not value.flow else value.raw.decode("utf-8", "replace")
            text = " ".join(text.split()) or "empty"
            return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
        if not value.flow:
            return f"{len(value.entries)} rows" if value.kind == LIST else f"{lines} lines"
        file_id, guid = value.get("fileID"), value.get("guid")
        if file_id is not None:
            number = file_id.text
            if guid is not None:
                return f"{self._asset(guid.text) or guid.text}:{number}"
            if number == "0":
                return "none"
            return self.of_object(int(number)) if number.removeprefix("-").isdigit() else number
        return f"({', '.join(entry.value.text for entry in value.entries)})"

    def line(self, conflict: Conflict) -> str:
        """Return an open value as one line."""
        base, ours, theirs = map(self.of_value, (conflict.base, conflict.ours, conflict.theirs))
        return f"{self.of_place(conflict)}: {base} -> ours {ours}, theirs {theirs}"


def _class_name(part: bytes) -> str:
    """Return the class as the object itself writes it: ``PrefabInstance``."""
    return part[body_start(part) :].lstrip().split(b":", 1)[0].decode("utf-8", "replace")


def _name(part: bytes) -> str:
    return name_of_document(part, 0, len(part)).decode("utf-8", "replace")
