"""Faults of texts: what Unity refuses to parse, what a merge doubles, and GUIDs of other shapes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from scripts.fuzz.plant_faults import (
    FAULTS,
    Expected,
    Fault,
    NoPlaceError,
    Planted,
    Planter,
    blamed,
    edited,
    fault,
    is_plain,
    rewriting,
)
from scripts.fuzz.plant_faults import (
    meta as folder_meta,
)
from scripts.fuzz.plant_tree import Document, Reference

_HIERARCHY: Final = ("broken-hierarchy", "duplicate-object", "missing-object")

# --- what Unity's reader refuses


def _named(at: Planter) -> tuple[str, Document, list[bytes], int]:
    """Choose an object with a name of its own; return file, document, lines, and the place of the name."""
    path = at.text_asset()
    lines = at.tree.lines(path)
    rows = [
        (document, place)
        for document in at.tree.documents[path]
        for place in range(document.line, document.end - 1)
        if re.match(rb"  m_Name: \w", lines[place])
    ]
    document, place = at.one_of(rows)
    return path, document, lines, place


def _with_lines(make: Callable[[bytes], bytes]) -> Fault:
    """Return a fault that replaces the line of a name; the file cannot be parsed then."""

    def plant(at: Planter) -> Planted:
        path, _, lines, place = _named(at)
        lines[place] = make(lines[place][10:].rstrip())
        return at.changed(path, b"".join(lines), "broken-asset")

    return plant


_REFUSED: Final[dict[str, Callable[[bytes], bytes]]] = {
    "quote-unclosed": lambda name: b"  m_Name: '" + name + b"\n",
    "double-quote-unclosed": lambda name: b'  m_Name: "' + name + b"\n",
    "escape-unknown": lambda name: b'  m_Name: "\\q' + name + b'"\n',
    "escape-cut": lambda name: b'  m_Name: "\\u12 ' + name + b'"\n',
    "escape-of-half-a-character": lambda name: b'  m_Name: "\\uD800' + name + b'"\n',
    "line-without-a-key": lambda name: b"  m_Name: " + name + b"\n  lost words\n",
    "quoted-line-without-a-key": lambda name: b"  m_Name: " + name + b'\n""\n',
    "item-without-its-space": lambda name: b"  m_Name: " + name + b"\n  planted:\n  -one\n  -two\n",
    "item-beside-a-key": lambda name: b"  m_Name: " + name + b"\n  - lost\n",
    "map-unclosed": lambda name: b"  m_Name: " + name + b"\n  planted: {x: 1, y: 2\n",
    "list-unclosed": lambda name: b"  m_Name: " + name + b"\n  planted: [{x: 1}, {x: 2}\n",
    "folded-line-ends-in-a-colon": lambda name: b"  m_Name: " + name + b"\n    and the rest of it:\n",
}
for _name, _make in _REFUSED.items():
    FAULTS[_name] = _with_lines(_make)


def _behind_a_quote(at: Planter) -> Planted:
    """Write on behind a closing quote: an error up to 2019.2, later a warning of Unity's."""
    path, _, lines, place = _named(at)
    lines[place] = b"  m_Name: '" + lines[place][10:].rstrip() + b"' more\n"
    return at.changed(path, b"".join(lines), "broken-asset", place + 1)


FAULTS["text-behind-a-quote"] = _behind_a_quote
FAULTS["null-byte-in-a-text"] = _with_lines(lambda name: b"  m_Name: " + name + b"\0\n")


@fault
def second_head(at: Planter) -> Planted:
    """Write the head of the file a second time, as a merge of two new files does."""
    path = at.text_asset()
    lines = at.tree.lines(path)
    document = at.one_of(at.tree.documents[path][1:])
    lines[document.line - 1 : document.line - 1] = lines[:2]
    return at.changed(path, b"".join(lines), "broken-asset")


@fault
def class_of_another_number(at: Planter) -> Planted:
    """Give the head of an object the number of another class."""
    path = at.text_asset()
    document = at.one_of(
        [item for item in at.tree.documents[path] if not item.stripped and item.class_id in {1, 4, 224}]
    )
    lines = at.tree.lines(path)
    other = b"!u!224 " if document.class_id != 224 else b"!u!4 "
    lines[document.line - 1] = lines[document.line - 1].replace(b"!u!%d " % document.class_id, other)
    return at.changed(path, b"".join(lines), "broken-asset")


@fault
def component_without_its_object(at: Planter) -> Planted:
    """Take the line of the GameObject from a component."""
    item = at.reference(
        lambda item: (
            item.name == "m_GameObject" and not item.document.stripped and item.document.class_id in {4, 224, 114}
        )
    )
    lines = at.tree.lines(item.path)
    del lines[item.line - 1]
    return Planted(
        {item.path: b"".join(lines)}, [Expected(("broken-asset", *_HIERARCHY), item.path)], at.words(item.path)
    )


# --- what a merge doubles


def _row(at: Planter, name: str, class_ids: set[int]) -> tuple[Reference, list[bytes]]:
    item = at.reference(
        lambda item: item.name == name and item.document.class_id in class_ids and not item.guid and item.file_id != 0
    )
    return item, at.tree.lines(item.path)


def _twice(name: str, class_ids: set[int]) -> Fault:
    """Return a fault that lists an object twice."""

    def plant(at: Planter) -> Planted:
        item, lines = _row(at, name, class_ids)
        lines.insert(item.line, lines[item.line - 1])
        edits = {item.path: b"".join(lines)}
        return Planted(edits, [Expected(_HIERARCHY, item.path)], at.words(item.path))

    return plant


FAULTS["component-listed-twice"] = _twice("component", {1})
FAULTS["child-listed-twice"] = _twice("m_Children", {4, 224})
FAULTS["root-listed-twice"] = _twice("m_Roots", {1660057539})


@fault
def root_not_listed(at: Planter) -> Planted:
    """Take a root from the list of a scene."""
    item, lines = _row(at, "m_Roots", {1660057539})
    del lines[item.line - 1]
    return Planted({item.path: b"".join(lines)}, [Expected(_HIERARCHY, item.path)], at.words(item.path))


@fault
def two_transforms(at: Planter) -> Planted:
    """Give an object a second Transform."""
    path = at.one_of(
        [path for path in at.tree.yaml if path.endswith((".prefab", ".unity")) and path in at.tree.guid_of]
    )
    rows = {item.file_id: item for item in at.tree.references(path) if item.name == "component" and not item.guid}
    documents = [item for item in at.tree.documents[path] if item.class_id == 4 and item.file_id in rows]
    document = at.one_of([item for item in documents if not item.stripped])
    lines = at.tree.lines(path)
    if not lines[-1].endswith(b"\n"):
        raise NoPlaceError
    own, number = str(document.file_id).encode(), str(at.file_id()).encode()
    copy = [line.replace(b"&" + own, b"&" + number) for line in lines[document.line - 1 : document.end - 1]]
    row = rows[document.file_id]
    lines.insert(row.line, lines[row.line - 1].replace(own, number))
    return Planted({path: b"".join(lines + copy)}, [Expected(_HIERARCHY, path)], at.words(path))


@fault
def overridden_twice(at: Planter) -> Planted:
    """Override one property of one object twice, as a merge that keeps both sides does."""
    item = at.reference(lambda item: item.name == "target" and item.document.class_id == 1001)
    lines = at.tree.lines(item.path)
    end = item.line
    while end < len(lines) and not lines[end].startswith((b"    - target:", b"    m_", b"---")):
        end += 1
    block = lines[item.line - 1 : end]
    if not any(line.startswith(b"      propertyPath: ") for line in block):
        raise NoPlaceError
    changed = [re.sub(rb"^(      value: ).*", rb"\g<1>77", line) for line in block]
    lines[end:end] = changed
    return Planted({item.path: b"".join(lines)}, [Expected(("duplicate-override",), item.path)], at.words(item.path))


# --- GUIDs of other shapes


def _of_shape(make: Callable[[bytes], bytes]) -> Fault:
    """Return a fault that writes the GUID of a reference in another shape."""

    def plant(at: Planter) -> Planted:
        item = at.reference(lambda item: is_plain(item) and item.guid in at.tree.guids)
        edits = edited(at.tree, item, item.guid.encode(), make(item.guid.encode()))
        return Planted(edits, [blamed(item, ("invalid-guid", "broken-asset"))], at.words(item.path))

    return plant


_SHAPES: Final[dict[str, Callable[[bytes], bytes]]] = {
    "guid-of-31-digits": lambda guid: guid[:31],
    "guid-of-34-digits": lambda guid: guid + b"ab",
    "guid-of-16-digits": lambda guid: guid[:16],
    "guid-with-dashes": lambda guid: b"-".join((guid[:8], guid[8:12], guid[12:16], guid[16:20], guid[20:])),
    "guid-quoted": lambda guid: b'"' + guid + b'"',
    "guid-in-base64": lambda _: b"BywX4Hj4Wn8k26s4UW653cGXmW+gw/b5Q1qLocuHiItaNtzbCvwy3ok=",
    "guid-with-a-letter": lambda guid: guid[:20] + b"g" + guid[21:],
    "guid-not-ascii": lambda guid: guid[:30] + "é".encode(),
}
for _name, _make in _SHAPES.items():
    FAULTS[_name] = _of_shape(_make)


@fault
def guid_of_zeros(at: Planter) -> Planted:
    """Write zeros for a GUID, which is no asset: nothing may be found of it."""
    item = at.reference(lambda item: is_plain(item) and item.document.class_id == 114 and item.guid in at.tree.guids)
    return Planted(edited(at.tree, item, item.guid.encode(), b"0" * 32), [], at.words(item.path))


@fault
def reference_in_a_text(at: Planter) -> Planted:
    """Write a reference to nothing into a text: nothing may be found."""
    path, _, lines, place = _named(at)
    text = f"  planted: 'a log of {{fileID: 11500000, guid: {at.guid()}, type: 3}}'\n"
    lines.insert(place + 1, text.encode())
    return Planted({path: b"".join(lines)}, [])


# --- metas


def _meta(make: Callable[[bytes, str], bytes], *codes: str) -> Fault:
    """Return a fault that rewrites the meta of a used asset."""

    def plant(at: Planter) -> Planted:
        path = at.used()
        text = make(at.tree.text(path + ".meta"), at.guid())
        return Planted({path + ".meta": text}, [Expected(codes, "", message=path)], at.words(path))

    return plant


_GUID: Final = re.compile(rb"^guid: (\w{32})", re.MULTILINE)
FAULTS["meta-ends-in-a-key"] = _meta(lambda text, _: text.rstrip() + b"\n  planted:", "broken-asset", "broken-meta")
FAULTS["meta-guid-quoted"] = _meta(lambda text, _: _GUID.sub(rb'guid: "\1"', text), "no-guid", "broken-asset")
FAULTS["meta-with-two-guids"] = _meta(
    lambda text, guid: _GUID.sub(rb"guid: \1\nguid: " + guid.encode(), text),
    "broken-asset",
    "conflict-markers",
    "no-guid",
)
FAULTS["meta-guid-of-34-digits"] = _meta(lambda text, _: _GUID.sub(rb"guid: \1ab", text), "no-guid", "invalid-guid")
FAULTS["meta-quote-unclosed"] = _meta(lambda text, _: text.rstrip() + b"\n  userData: 'lost\n", "broken-asset")

# --- texts that are not YAML


def _of_kind(*extensions: str) -> Callable[[Planter], str]:
    def choose(at: Planter) -> str:
        return at.one_of([path for path in at.tree.of_kind(*extensions) if path.startswith("Assets/")])

    return choose


def _cut(at: Planter, path: str) -> bytes:
    text = at.tree.text(path).rstrip()
    return text[: len(text) - 1 - len(text) // 10]


for _name, _extensions in {
    "assembly-cut": (".asmdef",),
    "graph-cut": (".shadergraph", ".shadersubgraph"),
    "actions-cut": (".inputactions",),
    "document-cut": (".uxml",),
    "effect-cut": (".vfx",),
}.items():
    _code = "asmdef-invalid" if _extensions == (".asmdef",) else "broken-asset"
    FAULTS[_name] = rewriting(_of_kind(*_extensions), _code, _cut)


def _created(name: str, text: bytes, importer: str) -> Fault:
    """Return a fault that adds a damaged file; ``NAME`` in its name is drawn."""

    def plant(at: Planter) -> Planted:
        path = f"Assets/{name.replace('NAME', f'planted{at.chooser.randrange(1 << 30)}')}"
        if path in at.tree.files:
            raise NoPlaceError
        meta = f"fileFormatVersion: 2\nguid: {at.guid()}\n{importer}:\n  userData: \n".encode()
        expected = Expected(("broken-asset", "asmdef-invalid"), path)
        edits = {path: text, f"{path}.meta": meta}
        folder = path.rpartition("/")[0]
        if folder != "Assets":
            edits[f"{folder}.meta"] = folder_meta(at.guid(), "folderAsset: yes\nDefaultImporter")
        return Planted(edits, [expected], frozenset((path,)))

    return plant


FAULTS["new-assembly-with-a-comma"] = _created(
    "NAME.asmdef", b'{\n    "name": "Planted",\n    "references": [],\n}\n', "AssemblyDefinitionImporter"
)
FAULTS["new-actions-cut"] = _created("NAME.inputactions", b'{"name": "Planted", "maps": [', "ScriptedImporter")
FAULTS["new-document-unclosed"] = _created(
    "NAME.uxml", b'<ui:UXML xmlns:ui="UnityEngine.UIElements">\n<ui:Button>\n</ui:UXML>\n', "ScriptedImporter"
)
FAULTS["new-sheet-unclosed"] = _created("NAME.uss", b".planted {\n  color: red;\n", "ScriptedImporter")
FAULTS["linker-file-unclosed"] = _created("NAME/link.xml", b"<linker>\n<assembly>\n</linker>\n", "TextScriptImporter")
