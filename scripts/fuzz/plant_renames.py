"""Faults that people make by renaming or removing what other files name.

None is made from a rule: what is renamed is what the project has and uses, and whoever uses it is left as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from scripts.fuzz.plant_faults import Expected, NoPlaceError, Planted, Planter, fault

_CURVE: Final = re.compile(rb"^    path: (\S[^\r\n]*)")
_DRAWN: Final = b"  m_EditorCurves:"
_PARAMETER: Final = re.compile(rb"^  - m_Name: (\w[^\r\n]*)")
_TESTED: Final = re.compile(rb"^    m_ConditionEvent: (\w[^\r\n]*)")
_FUNCTION: Final = re.compile(rb"^ *functionName: (\w+)")
_TAG: Final = re.compile(rb"^  m_TagString: (\w[^\r\n]*)")
_LABEL: Final = re.compile(rb"^    - (\S[^\r\n]*)")
_RID_TYPE: Final = re.compile(rb"type: \{class: (\w+), ns: ([\w.]*), asm: ([\w.\-]+)\}")
_TAGS: Final = "ProjectSettings/TagManager.asset"
_AXES: Final = "ProjectSettings/InputManager.asset"
_GONE: Final = b"Renamed"


def _renamed(lines: list[bytes], place: int, name: bytes) -> bytes:
    """Return a text in which a name on one line is another."""
    return b"".join([*lines[:place], lines[place].replace(name, name + _GONE, 1), *lines[place + 1 :]])


def _scripts(at: Planter) -> list[str]:
    return [path for path in at.tree.of_kind(".cs") if path.startswith("Assets/")]


def _places(at: Planter, kinds: tuple[str, ...], row: re.Pattern[bytes]) -> list[tuple[str, int, bytes]]:
    """Return path, line from 0 and value of each line of some files that fits."""

    def found() -> Iterator[tuple[str, int, bytes]]:
        for path in at.tree.yaml:
            if path.endswith(kinds) and path in at.tree.guid_of:
                for place, line in enumerate(at.tree.lines(path)):
                    match = row.match(line)
                    if match:
                        yield path, place, match[1].strip()

    return at.tree.pool((kinds, row), found)


@fault
def animated_child_renamed(at: Planter) -> Planted:
    """Rename a GameObject that a clip animates, in a prefab whose Animator plays it."""
    for clip in at.shuffled(at.tree.of_kind(".anim")):
        lines = at.tree.lines(clip)
        end = next((place for place, line in enumerate(lines) if line.startswith(_DRAWN)), len(lines))
        curves = [(place, match[1].strip()) for place, line in enumerate(lines[:end]) if (match := _CURVE.match(line))]
        controllers = {item.path for item in at.tree.users.get(at.tree.guid_of[clip], ()) if ".controller" in item.path}
        guids = [at.tree.guid_of[path] for path in controllers if path in at.tree.guid_of]
        users = sorted({item.path for guid in guids for item in at.tree.users.get(guid, ())})
        for prefab in users if curves else ():
            text = at.tree.lines(prefab)
            path = at.chooser.choice(curves)[1]
            name = path.rpartition(b"/")[2]
            named = [place for place, line in enumerate(text) if line.rstrip() == b"  m_Name: " + name]
            if len(named) == 1 and prefab.endswith(".prefab"):
                first = next(place for place, own in curves if own == path)
                expected = [Expected(("animation-path",), clip, first + 1)]
                words = at.words(prefab, *at.words(clip), path.decode("utf-8", "replace"))
                return Planted({prefab: _renamed(text, named[0], name)}, expected, words)
    raise NoPlaceError


@fault
def parameter_renamed(at: Planter) -> Planted:
    """Rename a parameter of a controller, whose conditions keep the old name."""
    tested = {(path, name): place for path, place, name in reversed(_places(at, (".controller",), _TESTED))}
    rows = [row for row in _places(at, (".controller",), _PARAMETER) if (row[0], row[2]) in tested]
    path, place, name = at.one_of(rows)
    text = _renamed(at.tree.lines(path), place, name)
    expected = [Expected(("animator-parameter",), path, 0, message=name.decode())]
    return Planted({path: text}, expected, frozenset((path, name.decode())))


@fault
def event_method_renamed(at: Planter) -> Planted:
    """Rename the method that an animation event calls, wherever C# declares it."""
    rows = _places(at, (".anim",), _FUNCTION)
    for clip, place, name in at.shuffled(list(rows)):
        declares = re.compile(rb"\bvoid\s+(" + name + rb")(?=\s*\()")
        edits: dict[str, bytes | None] = {}
        for path in _scripts(at):
            text = at.tree.text(path)
            if name in text and declares.search(text):
                edits[path] = declares.sub(rb"void \1" + _GONE, text)
        if edits:
            words = frozenset((clip, name.decode(), *(word for path in edits for word in at.words(path))))
            return Planted(edits, [Expected(("animation-event",), clip, place + 1)], words)
    raise NoPlaceError


@fault
def tag_removed(at: Planter) -> Planted:
    """Take a tag that objects have out of the project's settings."""
    if _TAGS not in at.tree.files:
        raise NoPlaceError
    lines = at.tree.lines(_TAGS)
    start = next((place for place, line in enumerate(lines) if line.startswith(b"  tags:")), len(lines))
    own = {}
    for place in range(start + 1, len(lines)):
        if not lines[place].startswith(b"  - "):
            break
        own[lines[place][4:].strip()] = place
    used = [row for row in _places(at, (".prefab", ".unity"), _TAG) if row[2] in own]
    path, place, name = at.one_of(used)
    text = b"".join(line for number, line in enumerate(lines) if number != own[name])
    words = frozenset((name.decode(), _TAGS))
    return Planted({_TAGS: text}, [Expected(("unknown-tag",), path, place + 1)], words)


@fault
def axis_removed(at: Planter) -> Planted:
    """Rename an axis of the input settings for which C# asks."""
    if _AXES not in at.tree.files:
        raise NoPlaceError
    lines = at.tree.lines(_AXES)
    names = [(place, line.split(b": ", 1)[1].strip()) for place, line in enumerate(lines) if b"    m_Name: " in line]
    for name in at.shuffled(sorted({name for _, name in names if name})):
        asks = re.compile(rb'\bInput\.Get(?:Axis|AxisRaw|Button|ButtonDown|ButtonUp)\s*\(\s*"' + name + rb'"')
        for path in at.shuffled(_scripts(at)):
            match = asks.search(at.tree.text(path))
            if match and "/Editor/" not in path:
                text = b"".join(
                    line.replace(name, name + _GONE) if (place, name) in names else line
                    for place, line in enumerate(lines)
                )
                line = at.tree.text(path).count(b"\n", 0, match.start()) + 1
                words = frozenset((name.decode(), _AXES))
                return Planted({_AXES: text}, [Expected(("unknown-name",), path, line)], words)
    raise NoPlaceError


@fault
def label_removed(at: Planter) -> Planted:
    """Rename a label in the settings of Addressables that an entry has."""
    paths = [path for path in at.tree.yaml if b"\n  m_LabelTable:" in at.tree.text(path)]
    groups = [path for path in at.tree.yaml if b"\n    m_SerializedLabels:\n    - " in at.tree.text(path)]
    settings, group = at.one_of(paths), at.one_of(groups)
    used = [match[1].strip() for line in at.tree.lines(group) if (match := _LABEL.match(line))]
    lines = at.tree.lines(settings)
    rows = [(place, line.strip()[2:]) for place, line in enumerate(lines) if line.startswith(b"    - ")]
    place, name = at.one_of([row for row in rows if row[1] in used])
    expected = [Expected(("addressables-label",), group, message=name.decode())]
    return Planted({settings: _renamed(lines, place, name)}, expected, frozenset((settings, name.decode())))


@fault
def referenced_type_renamed(at: Planter) -> Planted:
    """Rename a class, objects of which are stored behind SerializeReference."""
    rows = at.tree.pool("managed types", lambda: _managed(at))
    for path, place, name in at.shuffled(list(rows)):
        declares = re.compile(rb"\b(class|struct)(\s+)(" + name + rb")\b")
        edits: dict[str, bytes | None] = {}
        for script in _scripts(at):
            text = at.tree.text(script)
            if declares.search(text) and b"MovedFrom" not in text:
                edits[script] = re.sub(rb"\b" + name + rb"\b", name + _GONE, text)
        if edits:
            words = frozenset((path, name.decode(), *(word for own in edits for word in at.words(own))))
            return Planted(edits, [Expected(("missing-type",), path, place + 1)], words)
    raise NoPlaceError


def _managed(at: Planter) -> Iterator[tuple[str, int, bytes]]:
    """Yield path, line from 0 and class of the objects behind SerializeReference."""
    for path in at.tree.yaml:
        if path in at.tree.guid_of and b"type: {class: " in at.tree.text(path):
            for place, line in enumerate(at.tree.lines(path)):
                match = _RID_TYPE.search(line)
                if match and not match[3].startswith(b"Unity"):
                    yield path, place, match[1]


@fault
def assembly_not_referred_to(at: Planter) -> Planted:
    """Take a reference out of an assembly definition whose scripts need it."""
    definitions = {}
    for path in at.tree.of_kind(".asmdef"):
        try:
            found = json.loads(at.tree.text(path).decode("utf-8-sig"))
        except ValueError:
            continue
        if path.startswith("Assets/") and isinstance(found.get("references"), list):
            definitions[path] = found
    paths = {f"GUID:{at.tree.guid_of[path]}": path for path in definitions}
    paths |= {found.get("name", ""): path for path, found in definitions.items()}
    for path in at.shuffled(sorted(definitions)):
        for name in [name for name in definitions[path]["references"] if name in paths]:
            other = paths[name].rpartition("/")[0]
            spaces = _namespaces(at, other)
            folder = path.rpartition("/")[0]
            for script in (own for own in _scripts(at) if own.startswith(f"{folder}/")):
                for number, line in enumerate(at.tree.lines(script), 1):
                    match = re.match(rb"using ([\w.]+);", line)
                    if match and match[1] in spaces:
                        rest = [own for own in definitions[path]["references"] if own != name]
                        text = json.dumps({**definitions[path], "references": rest}, indent=4).encode()
                        expected = [Expected(("assembly-namespace",), script, number)]
                        return Planted({path: text}, expected, frozenset((path, definitions[path].get("name", path))))
    raise NoPlaceError


def _namespaces(at: Planter, folder: str) -> set[bytes]:
    """Return the namespaces that the scripts of a folder declare."""
    row = re.compile(rb"^namespace ([\w.]+)", re.MULTILINE)
    paths = [path for path in _scripts(at) if path.startswith(f"{folder}/")]
    return {name for path in paths for name in row.findall(at.tree.text(path))}
