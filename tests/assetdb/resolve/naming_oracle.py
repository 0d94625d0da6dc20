"""An independent, slow answer to what a reference means: PyYAML, and every prefab expanded in full.

Nothing of assetdb is used. Where the package searches backwards from an id, this goes forwards: it lists all objects
that a prefab has with all that it nests, and looks the id up. It knows no models: what hangs in one is not whole.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.libyaml import UnityReader

MASK = (1 << 63) - 1
HEADER = re.compile(r"^--- !u!(\d+) &(-?\d+)( stripped)?[^\n]*$", re.MULTILINE)


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The C loader where PyYAML has it; a name may be ``=`` or ``<<``, which YAML 1.1 gives a meaning."""


for special in ("value", "merge"):
    Loader.add_constructor(f"tag:yaml.org,2002:{special}", lambda loader, node: loader.construct_scalar(node))
load = UnityReader(Loader)
INSTANCES = {"PrefabInstance", "Prefab"}


class Answer(NamedTuple):
    kind: str  # key of the document: GameObject, MonoBehaviour, ...
    names: tuple[str, ...]  # of the GameObjects above it and its own, or its own m_Name
    script: str  # GUID of the script
    whole: bool  # the names begin at the root


class Tree(NamedTuple):
    objects: dict[int, tuple[str, int]]  # GameObject -> name, parent GameObject (0: root; -1: not known)
    parts: dict[int, tuple[str, int, str]]  # component -> kind, GameObject, script
    others: dict[int, tuple[str, str, str]]  # kind, name, script


class Oracle:
    def __init__(self, root: Path) -> None:
        self.paths: dict[str, Path] = {}
        for top in ("Assets", "Packages"):
            for folder, folders, files in os.walk(root / top):
                folders[:] = sorted(name for name in folders if not name.startswith(".") and not name.endswith("~"))
                for name in sorted(files):
                    if name.endswith(".meta"):
                        path = Path(folder) / name
                        found = re.search(rb"^guid: *([0-9a-fA-F]{32})", path.read_bytes(), re.MULTILINE)
                        if found:
                            self.paths.setdefault(found[1].decode().lower(), path.with_suffix(""))
        self.trees: dict[str, Tree] = {}
        sys.setrecursionlimit(10_000)

    def answer(self, guid: str, file_id: int) -> Answer | None:
        tree = self.tree(guid, ())
        if file_id in tree.objects:
            names, whole = climb(tree, file_id)
            return Answer("GameObject", names, "", whole)
        if file_id in tree.parts:
            kind, owner, script = tree.parts[file_id]
            names, whole = climb(tree, owner)
            return Answer(kind, names, script, whole)
        if file_id in tree.others:
            kind, name, script = tree.others[file_id]
            return Answer(kind, (name,) if name else (), script, whole=True)
        return None

    def documents(self, guid: str) -> list[tuple[int, str, bool, dict[str, Any]]]:
        path = self.paths.get(guid)
        if path is None or not path.is_file():
            return []
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        headers = list(HEADER.finditer(text))
        found = []
        for number, header in enumerate(headers):
            end = headers[number + 1].start() if number + 1 < len(headers) else len(text)
            value = load(text[header.end() : end])
            kind, fields = next(iter(value.items()))
            found.append((int(header[2]), kind, header[3] is not None, fields or {}))
        return found

    def tree(self, guid: str, above: tuple[str, ...]) -> Tree:
        known = self.trees.get(guid)
        if known is not None:
            return known
        tree = Tree({}, {}, {})
        if guid in above:
            return tree
        hanging: list[tuple[int, int]] = []  # GameObject, Transform that it hangs from
        everything = self.documents(guid)
        documents = [document for document in everything if not document[2]]
        for number, kind, _, fields in documents:
            source = fields.get("m_SourcePrefab") or fields.get("m_ParentPrefab") or {}
            if kind in INSTANCES and source.get("guid"):
                self.place(tree, number, fields, str(source["guid"]), (*above, guid), hanging)
        for number, _, is_stripped, fields in everything:
            if is_stripped:
                self.adopt(tree, number, fields, (*above, guid))
        transforms = {number: fields for number, kind, _, fields in documents if "m_Father" in fields}
        parents = {}
        for fields in transforms.values():
            parents[fields["m_GameObject"]["fileID"]] = fields["m_Father"]["fileID"]
        for number, kind, _, fields in documents:
            script = str((fields.get("m_Script") or {}).get("guid", "")) if kind == "MonoBehaviour" else ""
            owner = (fields.get("m_GameObject") or {}).get("fileID", 0)
            if kind == "GameObject":
                tree.objects[number] = (text_of(fields.get("m_Name")), -1)
                hanging.append((number, parents.get(number, 0)))
            elif owner:
                tree.parts[number] = (kind, owner, script)
            elif kind not in INSTANCES:
                tree.others[number] = (kind, text_of(fields.get("m_Name")), script)
        for number, transform in hanging:
            owner = tree.parts[transform][1] if transform in tree.parts else -1
            tree.objects[number] = (tree.objects[number][0], owner if transform else 0)
        self.trees[guid] = tree
        return tree

    def adopt(self, tree: Tree, number: int, fields: dict[str, Any], above: tuple[str, ...]) -> None:
        """Add what a stripped document stands for where its id is another than the instance would give it.

        The file was written when the prefab was nested otherwise: unitystation's ``Energy Sword.prefab``.
        """
        source = fields.get("m_CorrespondingSourceObject") or {}
        instance = (fields.get("m_PrefabInstance") or {}).get("fileID", 0)
        if not source.get("guid") or not instance or number in tree.objects or number in tree.parts:
            return
        there = source["fileID"]
        usual = (instance ^ there) & MASK
        inner = self.tree(str(source["guid"]), above)
        if there in inner.objects and usual in tree.objects:
            tree.objects[number] = tree.objects[usual]
        elif there in inner.parts and usual in tree.parts:
            tree.parts[number] = tree.parts[usual]

    def nests_model(self, guid: str) -> bool:
        """Whether something that is no text is nested in a prefab, at any depth."""
        seen = {guid}
        waiting = [guid]
        while waiting:
            here = waiting.pop()
            path = self.paths.get(here)
            if path is None or path.suffix != ".prefab":
                return True
            for found in re.findall(rb"m_(?:Source|Parent)Prefab: [{]fileID: \d+,\s+guid: (\w{32})", path.read_bytes()):
                if found.decode() not in seen:
                    seen.add(found.decode())
                    waiting.append(found.decode())
        return False

    def place(
        self,
        tree: Tree,
        instance: int,
        fields: dict[str, Any],
        source: str,
        above: tuple[str, ...],
        hanging: list[tuple[int, int]],
    ) -> None:
        change = fields.get("m_Modification") or {}
        renamed = {
            row["target"]["fileID"]: text_of(row.get("value"))
            for row in change.get("m_Modifications") or ()
            if row.get("propertyPath") == "m_Name"
        }
        inner = self.tree(source, above)

        def here(number: int) -> int:
            return (instance ^ number) & MASK

        for number, (name, parent) in inner.objects.items():
            tree.objects[here(number)] = (
                renamed.get(number, name),
                here(parent) if parent > 0 or parent < -1 else parent,
            )
            if parent == 0:
                hanging.append((here(number), change.get("m_TransformParent", {}).get("fileID", 0)))
        for number, (kind, owner, script) in inner.parts.items():
            tree.parts[here(number)] = (kind, here(owner), script)
        for number, other in inner.others.items():
            tree.others[here(number)] = other


def climb(tree: Tree, number: int) -> tuple[tuple[str, ...], bool]:
    names: list[str] = []
    seen = set()
    while number in tree.objects and number not in seen:
        seen.add(number)
        name, number = tree.objects[number]
        names.append(name)
    return tuple(reversed(names)), number == 0


def text_of(value: object) -> str:
    """PyYAML makes a number of a name like 001: such a name is not compared."""
    return value if isinstance(value, str) else "" if value is None else "?"
