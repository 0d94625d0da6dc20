"""Merge real scenes and prefabs that both sides edited, with results that are known from the edits.

    python -m scripts.fuzz.three_ways PROJECT... [--rounds 2000] [--seed 1] [--largest 400000]

Each case takes a scene or prefab and edits it on both sides as people do: objects are moved, renamed, reparented, added
and removed, components and nested instances come and go, overrides and fields change, fields are renamed, and a newer
Unity writes a class anew. Four of five cases are independent edits: the merge must have no conflict, be all edits one
after the other, keep what one side alone changed byte for byte, and have no fault that the file did not have. In the
fifth both sides contradict each other in one place, which must be a conflict. Prints how many cases git merges, too.
Exits with 1 at the first case that is otherwise.
"""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from assetdb.unity.merging.files import merge_files
from assetdb.unity.yaml.judging.refusals import Judge
from assetdb.unity.yaml.structure import find_faults
from scripts.arguments import Given, script

HEADER = re.compile(r"!u!(\d+) &(-?\d+)( stripped)?")
REFERENCE = re.compile(r"\{fileID: (-?\d+)\}")
NUMBER = re.compile(r"\n  (m_[A-Za-z]+): (\d{1,4})(?=\n)")
ORDER = re.compile(r"\n  m_RootOrder: [^\n]*|(?<=\n      propertyPath: m_RootOrder)\n      value: [^\n]*")
KEPT = ("m_RootOrder", "m_ObjectHideFlags", "serializedVersion", "m_EditorHideFlags")
TRANSFORMS = ("4", "224")
GUID = "0123456789abcdef0123456789abcdef"


class DifferentError(Exception):
    """A merge is not what the edits say."""


def require(is_so: bool, what: str) -> None:  # noqa: FBT001 - the condition of an assertion
    """Raise an error unless a condition holds."""
    if not is_so:
        raise DifferentError(what)


class Scene:
    """A file as the texts of its objects, which edits change."""

    def __init__(self, text: str) -> None:
        head, *parts = text.rstrip("\n").split("\n--- ")
        self.head = head
        self.parts: dict[str, str] = {}
        for part in parts:
            found = HEADER.match(part)
            if found is None or found[2] in self.parts:
                raise ValueError(part[:40])
            self.parts[found[2]] = part

    def copy(self) -> Scene:
        """Return a scene that may be edited."""
        made = Scene.__new__(Scene)
        made.head, made.parts = self.head, dict(self.parts)
        return made

    def text(self) -> str:
        """Return the file."""
        return "\n--- ".join([self.head, *self.parts.values()]) + "\n"

    def of_class(self, *classes: str) -> list[str]:
        """Return the objects of a class that are not placeholders."""
        return [
            file_id
            for file_id, part in self.parts.items()
            if (found := HEADER.match(part)) and found[1] in classes and not found[3]
        ]

    def field(self, file_id: str, key: str) -> str:
        """Return the object that a field refers to, or ``""``."""
        found = re.search(rf"\n  {key}: \{{fileID: (-?\d+)\}}", self.parts.get(file_id, ""))
        return found[1] if found else ""

    def rows(self, file_id: str, key: str) -> list[str]:
        """Return the objects that a list refers to."""
        found = re.search(rf"\n  {key}:((?:\n  - [^\n]*)*)", self.parts[file_id])
        return re.findall(r"fileID: (-?\d+)", found[1]) if found else []

    def set_rows(self, file_id: str, key: str, rows: list[str], word: str = "") -> None:
        """Write a list of references."""
        listed = "".join(f"\n  - {word}{{fileID: {row}}}" for row in rows) or " []"
        self.parts[file_id] = re.sub(
            rf"\n  {key}:(?: \[\]|(?:\n  - [^\n]*)*)", f"\n  {key}:{listed}", self.parts[file_id], count=1
        )

    def users(self, file_id: str) -> set[str]:
        """Return the objects that refer to one."""
        word = f"{{fileID: {file_id}}}"
        return {other for other, part in self.parts.items() if word in part and other != file_id}


class Edit(NamedTuple):
    """An edit.

    Attributes:
        words: its kind and arguments.
        places: the values that it changes.
        uses: the objects that must stay for it.
        removed: the objects that it removes.
    """

    words: tuple[str, ...]
    places: frozenset[str]
    uses: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


def below(scene: Scene, transform: str) -> set[str]:
    """Return a Transform and all below it."""
    found, waiting = set(), [transform]
    while waiting:
        current = waiting.pop()
        if current not in found:
            found.add(current)
            waiting += scene.rows(current, "m_Children") if current in scene.parts else []
    return found


def draw(scene: Scene, choice: random.Random, fresh: list[int]) -> Edit | None:
    """Return an edit of a scene, or None if it has nothing to edit in that way."""
    fresh[0] += 10
    new = str(fresh[0])
    kind = choice.choice(("move", "move", "rename", "number", "number", "reparent", "component", "no component"))
    kind = choice.choice((kind, kind, "child", "no child", "instance", "override", "new override", "field", "anew"))
    transforms, objects = scene.of_class(*TRANSFORMS), scene.of_class("1")
    instances = [one for one in scene.of_class("1001") if "\n    m_Modifications:\n" in scene.parts[one]]
    if not transforms or not objects:
        return None
    one, two, owner = choice.choice(transforms), choice.choice(transforms), choice.choice(objects)
    value = str(choice.randint(1000, 9999))
    match kind:
        case "move":
            axis = choice.choice("xyz")
            return Edit(("move", one, axis, value), frozenset({f"{one} position {axis}"}), frozenset({one}))
        case "rename":
            return Edit(("rename", owner, f"Named {value}"), frozenset({f"{owner} name"}), frozenset({owner}))
        case "number":
            some = choice.choice(list(scene.parts))
            keys = [found[1] for found in NUMBER.finditer(scene.parts[some]) if found[1] not in KEPT]
            keys = [key for key in keys if scene.parts[some].count(f"\n  {key}: ") == 1]
            if not keys or " stripped" in scene.parts[some].split("\n")[0]:
                return None
            key = choice.choice(keys)
            return Edit(("number", some, key, value), frozenset({f"{some} {key}"}), frozenset({some}))
        case "reparent":
            father = scene.field(one, "m_Father")
            if father not in transforms or two == father or two in below(scene, one):
                return None
            return Edit(("reparent", one, two), frozenset({f"{one} father", "reparent"}), frozenset({one, two, father}))
        case "component":
            return Edit(("component", owner, new), frozenset(), frozenset({owner}))
        case "no component":
            components = [
                file_id
                for file_id in scene.rows(owner, "m_Component")
                if file_id in scene.of_class("114", "65", "64", "23", "82") and scene.users(file_id) == {owner}
            ]
            if not components:
                return None
            gone = choice.choice(components)
            return Edit(
                ("no component", owner, gone), frozenset({f"{gone} gone"}), frozenset({owner}), frozenset({gone})
            )
        case "child":
            return Edit(("child", one, new), frozenset(), frozenset({one}))
        case "no child":
            father, own = scene.field(one, "m_Father"), scene.field(one, "m_GameObject")
            gone_ids = {one, own, *(scene.rows(own, "m_Component") if own in scene.parts else [])}
            if father not in transforms or own not in scene.parts or scene.rows(one, "m_Children"):
                return None
            if any(scene.users(file_id) - gone_ids - {father} for file_id in gone_ids):
                return None
            places = frozenset({f"{one} gone"})
            return Edit(("no child", one, father, *sorted(gone_ids)), places, frozenset({father}), frozenset(gone_ids))
        case "instance":
            return Edit(("instance", one, new), frozenset(), frozenset({one}))
        case "override" | "new override" if instances:
            some = choice.choice(instances)
            if kind == "new override":
                return Edit(("new override", some, f"speed{new}", value), frozenset(), frozenset({some}))
            rows = re.findall(r"\n      propertyPath: ([^\n']+)\n      value: \d+(?=\n)", scene.parts[some])
            rows = [path for path in rows if rows.count(path) == 1 and path != "m_RootOrder" and "otation" not in path]
            rows = [
                path for path in rows if scene.parts[some].count(f"propertyPath: {path}\n") == 1 and "Euler" not in path
            ]
            if not rows:
                return None
            path = choice.choice(rows)
            return Edit(("override", some, path, value), frozenset({f"{some} {path}"}), frozenset({some}))
        case "field":
            scripts = scene.of_class("114")
            if not scripts:
                return None
            some = choice.choice(scripts)
            keys = [
                found[1] for found in re.finditer(r"\n  ((?!m_)[a-z]\w*): [^\n{\['\"]+(?=\n  \w|\Z)", scene.parts[some])
            ]
            keys = [key for key in keys if scene.parts[some].count(f"\n  {key}:") == 1]
            if not keys:
                return None
            key = choice.choice(keys)
            return Edit(("field", some, key, f"renamed{value}"), frozenset({f"{some} {key}"}), frozenset({some}))
        case "anew":
            number = choice.choice(("1", "4", "23", "114"))
            return Edit(
                ("anew", number, f"m_New{value}"), frozenset({f"class {number}"}), frozenset(scene.of_class(number))
            )
    return None


def apply(scene: Scene, edit: Edit) -> None:
    """Edit a scene."""
    parts = scene.parts
    match edit.words:
        case ("move", one, axis, value):
            pattern = rf"(\n  m_LocalPosition: \{{[^}}]*\b{axis}: )[^,}}]+"
            parts[one] = re.sub(pattern, rf"\g<1>{value}", parts[one], count=1)
        case ("rename", one, name):
            parts[one] = re.sub(r"\n  m_Name:[^\n]*(?:\n {4}[^\n]*)*", f"\n  m_Name: {name}", parts[one], count=1)
        case ("number", one, key, value):
            parts[one] = re.sub(rf"(\n  {key}: )\d+(?=\n)", rf"\g<1>{value}", parts[one], count=1)
        case ("reparent", one, two):
            father = scene.field(one, "m_Father")
            scene.set_rows(father, "m_Children", [row for row in scene.rows(father, "m_Children") if row != one])
            scene.set_rows(two, "m_Children", [*scene.rows(two, "m_Children"), one])
            parts[one] = re.sub(r"(\n  m_Father: \{fileID: )-?\d+", rf"\g<1>{two}", parts[one], count=1)
        case ("component", owner, new):
            parts[owner] = re.sub(
                r"(\n  m_Component:(?:\n  - [^\n]*)*)",
                rf"\g<1>\n  - component: {{fileID: {new}}}",
                parts[owner],
                count=1,
            )
            parts[new] = f"!u!114 &{new}\nMonoBehaviour:\n  m_GameObject: {{fileID: {owner}}}\n  m_Name: \n  speed: 5"
        case ("no component", owner, gone):
            parts[owner] = re.sub(rf"\n  - (?:component|\d+): \{{fileID: {gone}\}}", "", parts[owner], count=1)
            parts.pop(gone, None)
        case ("child", one, new):
            scene.set_rows(one, "m_Children", [*scene.rows(one, "m_Children"), f"{new}1"])
            parts[new] = (
                f"!u!1 &{new}\nGameObject:\n  m_Component:\n  - component: {{fileID: {new}1}}\n  m_Name: New {new}"
            )
            parts[f"{new}1"] = (
                f"!u!4 &{new}1\nTransform:\n  m_GameObject: {{fileID: {new}}}\n  m_Children: []\n  m_Father: {{fileID: {one}}}"
            )
        case ("no child", one, father, *gone):
            scene.set_rows(father, "m_Children", [row for row in scene.rows(father, "m_Children") if row != one])
            for file_id in gone:
                parts.pop(file_id, None)
        case ("instance", one, new):
            scene.set_rows(one, "m_Children", [*scene.rows(one, "m_Children"), f"{new}1"])
            parts[new] = (
                f"!u!1001 &{new}\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: {one}}}\n"
                f"    m_Modifications:\n    - target: {{fileID: 100, guid: {GUID}, type: 3}}\n      propertyPath: m_Name\n"
                f"      value: Nested\n      objectReference: {{fileID: 0}}\n"
                f"  m_SourcePrefab: {{fileID: 100100000, guid: {GUID}, type: 3}}"
            )
            parts[f"{new}1"] = (
                f"!u!4 &{new}1 stripped\nTransform:\n  m_CorrespondingSourceObject: {{fileID: 400, guid: {GUID}, type: 3}}\n"
                f"  m_PrefabInstance: {{fileID: {new}}}"
            )
        case ("override", one, path, value):
            pattern = rf"(\n      propertyPath: {re.escape(path)}\n      value: )\d+"
            parts[one] = re.sub(pattern, rf"\g<1>{value}", parts[one], count=1)
        case ("new override", one, path, value):
            row = (
                f"    - target: {{fileID: 100, guid: {GUID}, type: 3}}\n      propertyPath: {path}\n"
                f"      value: {value}\n      objectReference: {{fileID: 0}}\n"
            )
            parts[one] = parts[one].replace("\n    m_Modifications:\n", f"\n    m_Modifications:\n{row}", 1)
        case ("field", one, key, name):
            parts[one] = re.sub(rf"\n  {key}:", f"\n  {name}:", parts[one], count=1)
        case ("anew", number, name):
            for one in scene.of_class(number):
                parts[one] = re.sub(r"\A([^\n]*\n\w+:\n  m_ObjectHideFlags: \d+)", rf"\g<1>\n  {name}: 0", parts[one])


def are_independent(ours: list[Edit], theirs: list[Edit]) -> bool:
    """Whether no edit of a side touches what the other side's edits need."""
    for one in ours:
        for other in theirs:
            if one.places & other.places or (one.removed | other.removed) & (one.uses & other.uses):
                return False
            if one.removed & (other.uses | other.removed) or other.removed & one.uses:
                return False
    return True


def side(base: Scene, edits: list[Edit]) -> Scene:
    """Return a scene with edits, one after the other."""
    made = base.copy()
    for edit in edits:
        apply(made, edit)
    return made


def plain(part: str) -> list[str]:
    """Return an object's lines without order, and without numbers of siblings."""
    return sorted(ORDER.sub("", part).split("\n"))


def by_git(folder: Path, base: str, ours: str, theirs: str) -> bool:
    """Whether git merges three versions."""
    places = [folder / name for name in ("ours", "base", "theirs")]
    for place, text in zip(places, (ours, base, theirs), strict=True):
        place.write_text(text)
    return not subprocess.run(
        ["git", "merge-file", "-p", "-q", *map(str, places)], capture_output=True, check=False
    ).returncode


def signs(data: bytes) -> set[tuple[str, int, str]]:
    """Return the faults of a file, wherever they are."""
    return {(fault.code, fault.file_id, fault.detail) for fault in find_faults(data, Judge(libyaml=False))}


def hold_independent(base: Scene, ours: list[Edit], theirs: list[Edit]) -> tuple[str, str, str]:
    """Merge independent edits, and compare with all of them one after the other; return the versions."""
    one, two = side(base, ours), side(base, theirs)
    expected = side(one, theirs)
    texts = base.text(), one.text(), two.text()
    merged = merge_files(*(text.encode() for text in texts))
    require(not merged.conflicts, str([(found.reason, found.file_id, found.place) for found in merged.conflicts]))
    data = merged.data(lambda found: found.ours)
    result = Scene(data.decode())
    require(result.parts.keys() == expected.parts.keys(), "other objects")
    for file_id, part in expected.parts.items():
        require(plain(result.parts[file_id]) == plain(part), f"{file_id} is not both edits")
        was, mine, other = (version.parts.get(file_id) for version in (base, one, two))
        if mine == was and "m_RootOrder" not in part:
            require(result.parts[file_id] == other, f"{file_id} is not that of its side")
        if other == was and "m_RootOrder" not in part:
            require(result.parts[file_id] == mine, f"{file_id} is not that of its side")
    require(signs(data) <= signs(texts[1].encode()) | signs(texts[2].encode()), "a new fault")
    return texts


def contradiction(base: Scene, choice: random.Random, fresh: list[int]) -> tuple[Edit, Edit] | None:
    """Return two edits that contradict each other."""
    first = draw(base, choice, fresh)
    if first is None or not first.places:
        return None
    kind, *words = first.words
    match kind:
        case "move" | "number" | "override":
            return first, Edit((kind, *words[:-1], str(int(words[-1]) + 1)), first.places)
        case "rename":
            return first, Edit((kind, words[0], words[1] + " otherwise"), first.places)
        case "field":
            other = re.sub(rf"(\n  {words[1]}: )[^\n]*", r"\g<1>99999", base.parts[words[0]], count=1)
            return first, Edit(("text", words[0], other), first.places)
        case "no component" | "no child":
            gone = words[1] if kind == "no component" else words[0]
            return first, Edit(("text", gone, base.parts[gone] + "\n  m_Changed: 1"), first.places)
        case "reparent":
            others = [one for one in base.of_class(*TRANSFORMS) if one not in (*words, *below(base, words[0]))]
            others = [one for one in others if one != base.field(words[0], "m_Father")]
            if others:
                return first, Edit(("reparent", words[0], choice.choice(others)), first.places)
    return None


def scenes(projects: list[str], largest: int) -> list[Path]:
    """Return the files to edit."""
    found = [path for project in projects for kind in ("unity", "prefab") for path in Path(project).rglob(f"*.{kind}")]
    return sorted(path for path in found if 1000 < path.stat().st_size < largest)


@script(__doc__, "projects+", rounds=2000, seed=1, largest=400_000)
def main(given: Given) -> bool:
    """Run from the command line."""
    choice = random.Random(given.seed)
    paths = scenes(given.projects, given.largest)
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    fresh = [900_000_000]
    with tempfile.TemporaryDirectory() as folder:
        while counts["cases"] < given.rounds:
            path = choice.choice(paths)
            try:
                base = Scene(path.read_bytes().decode())
            except (UnicodeDecodeError, ValueError):
                continue
            if "\r" in base.head or not base.of_class("1"):
                continue
            if counts["cases"] % 5 == 4:
                pair = contradiction(base, choice, fresh)
                if pair is None:
                    continue
                one, two = base.copy(), base.copy()
                apply(one, pair[0])
                if pair[1].words[0] == "text":
                    two.parts[pair[1].words[1]] = pair[1].words[2]
                else:
                    apply(two, pair[1])
                if base.text() in (one.text(), two.text()):
                    continue
                merged = merge_files(base.text().encode(), one.text().encode(), two.text().encode())
                if not merged.conflicts:
                    print(f"{path}: no conflict of {pair[0].words} and {pair[1].words[:2]}")
                    return True
                counts["contradictions, all of them conflicts"] += 1
                kinds[f"contradiction of {pair[0].words[0]}"] += 1
                counts["of these one open value"] += len(merged.conflicts) == 1
                counts["cases"] += 1
                continue
            drawn: list[list[Edit]] = []
            for _ in range(2):
                edits: list[Edit] = []
                for _ in range(choice.randint(1, 4)):
                    edit = draw(base, choice, fresh)
                    if edit is not None and are_independent(edits, [edit]):
                        edits.append(edit)
                drawn.append(edits)
            if not all(drawn) or not are_independent(*drawn):
                continue
            if base.text() in (side(base, drawn[0]).text(), side(base, drawn[1]).text()):
                continue
            try:
                texts = hold_independent(base, *drawn)
            except DifferentError as error:
                print(
                    f"{path}: {error}\nours: {[edit.words for edit in drawn[0]]}\ntheirs: {[edit.words for edit in drawn[1]]}"
                )
                return True
            counts["cases"] += 1
            counts["independent edits, all of them merged"] += 1
            counts["of these git has a conflict in"] += not by_git(Path(folder), *texts)
            kinds.update(edit.words[0] for edits in drawn for edit in edits)
    for name, count in [*counts.items(), *sorted(kinds.items())]:
        print(f"{count:7,} {name}")
    return False
