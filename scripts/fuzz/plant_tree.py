"""A Unity project as files, documents and references, read without assetdb.

The faults of :mod:`scripts.fuzz.plant_faults` are planted and searched for by this index, so it shares no code
with what is tested.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

T = TypeVar("T")
YAML_HEAD: Final = b"%YAML 1.1"
_SKIPPED: Final = frozenset((".git", "Library", "Temp", "Logs", "obj"))
_DOCUMENT: Final = re.compile(rb"^--- !u!(\d+) &(-?\d+)( stripped)?")
_REFERENCE: Final = re.compile(
    rb"(?:(\w{1,200}): |- )\{fileID: (-?\d+)(?:, guid: ([0-9a-f]{32}),\s*type: \d)?\s*\}",
)
_META_GUID: Final = re.compile(rb"^guid: ([0-9a-f]{32})", re.MULTILINE)
_LONG_LINE: Final = 4000  # bytes; longer ones are meshes and textures in hexadecimal digits
_LIST: Final = re.compile(rb"^\s*(?:- )?(\w+):\s*$")


class Document(NamedTuple):
    """One document of a YAML file."""

    class_id: int  # Unity's class, 1 for a GameObject
    file_id: int  # the anchor behind ``&``
    stripped: bool  # whether the document is a placeholder of a nested prefab's object
    line: int  # of its ``---``, counted from 1
    end: int  # line behind its last one


class Reference(NamedTuple):
    """One reference on one line of a YAML file."""

    path: str  # of the file, relative to the project
    line: int  # counted from 1
    document: Document  # the document that holds it
    name: str  # the property that holds it, of a list's element that of the list
    file_id: int  # of the object that is meant
    guid: str  # of its asset, ``""`` for an object of the same file


class Tree:
    """All files of a project.

    Attributes:
        root: folder of the project.
        files: relative paths of all files, sorted.
        guids: path of the asset of each GUID that one meta has.
        users: references to each GUID.
        yaml: relative paths of the assets that are YAML documents.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = sorted(self._walk())
        self.guids = dict(self._metas())
        self.guid_of = {path: guid for guid, path in self.guids.items()}
        self.users: dict[str, list[Reference]] = defaultdict(list)
        self.yaml: list[str] = []
        self._references: dict[str, list[Reference]] = {}
        self._pools: dict[object, list[Any]] = {}
        self.documents: dict[str, list[Document]] = {}
        for path in self.files:
            if path.startswith("Assets/") and not path.endswith(".meta") and self._is_yaml(path):
                self.yaml.append(path)
                documents, references = read_yaml(path, self.text(path))
                self.documents[path] = documents
                self._references[path] = references
                for reference in references:
                    if reference.guid:
                        self.users[reference.guid].append(reference)

    def text(self, path: str) -> bytes:
        """Return the bytes of a file."""
        return (self.root / path).read_bytes()

    def lines(self, path: str) -> list[bytes]:
        """Return the lines of a file with their ends."""
        return self.text(path).splitlines(keepends=True)

    def references(self, path: str) -> list[Reference]:
        """Return the references that a file holds."""
        return self._references.get(path, [])

    def nests_unknown(self, guid: str) -> bool:
        """Whether a prefab nests one that the project does not have, itself or through others."""
        waiting, seen = [guid], {guid}
        while waiting:
            path = self.guids.get(waiting.pop())
            if path is None:
                return True
            nested = {item.guid for item in self.references(path) if item.name == "m_SourcePrefab"} - seen
            seen |= nested
            waiting += nested
        return False

    def pool(self, key: object, candidates: Callable[[], Iterable[T]]) -> list[T]:
        """Return the places at which a kind of fault can be planted; looked for once."""
        if key not in self._pools:
            self._pools[key] = list(candidates())
        return self._pools[key]

    def of_kind(self, *extensions: str) -> list[str]:
        """Return the paths of assets with one of some extensions and a meta."""
        return [path for path in self.files if path.endswith(extensions) and path in self.guid_of]

    def _is_yaml(self, path: str) -> bool:
        with (self.root / path).open("rb") as file:
            return file.read(len(YAML_HEAD)) == YAML_HEAD

    def _walk(self) -> Iterator[str]:
        for top in ("Assets", "Packages", "ProjectSettings"):
            for path in (self.root / top).rglob("*"):
                relative = path.relative_to(self.root)
                hidden = any(part.startswith(".") or part.endswith("~") for part in relative.parts)
                if not hidden and not _SKIPPED.intersection(relative.parts) and path.is_file():
                    yield relative.as_posix()

    def _metas(self) -> Iterator[tuple[str, str]]:
        seen: set[str] = set()
        for path in self.files:
            if path.endswith(".meta"):
                match = _META_GUID.search(self.text(path)[:400])
                if match is not None and match[1].decode() not in seen:
                    seen.add(match[1].decode())
                    yield match[1].decode(), path.removesuffix(".meta")


def read_yaml(path: str, text: bytes) -> tuple[list[Document], list[Reference]]:
    """Return the documents and the references of a YAML file of Unity's."""
    lines = text.splitlines()
    starts = [(number, match) for number, line in enumerate(lines, 1) if (match := _DOCUMENT.match(line))]
    ends = [number for number, _ in starts[1:]] + ([len(lines) + 1] if starts else [])  # DUEL's settings are binary
    documents = [
        Document(int(match[1]), int(match[2]), match[3] is not None, number, end)
        for (number, match), end in zip(starts, ends, strict=True)
    ]
    references: list[Reference] = []
    for document in documents:
        name = ""
        for number in range(document.line, document.end):
            line = lines[number - 1]
            if len(line) > _LONG_LINE:
                continue
            if (opened := _LIST.match(line)) is not None:
                name = opened[1].decode()
            for found in _REFERENCE.finditer(line):
                own = found[1].decode() if found[1] else name
                guid = found[3].decode() if found[3] else ""
                references.append(Reference(path, number, document, own, int(found[2]), guid))
    return documents, references
