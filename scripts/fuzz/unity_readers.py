"""Mutate what the pure readers of Unity's files read: no exception comes out that is not theirs.

    python -m scripts.fuzz.unity_readers [--count 20000] [--seed 1] [--only PART] [--samples car.fbx]...

Parts share the count: ``fbx`` (the reader and the names of a model's objects), ``dll``, ``packages``, ``scripted`` (input
actions and glTF), ``fonts`` (families), ``collada`` (names), ``other`` (references in other forms), ``places`` (the
property at any offset) and ``annotation`` (the comments must come off again). ``--samples`` are files to start from
instead of the synthetic ones. Each part prints two lines: the numbers of files that were read, refused, or of another
format, the slowest file, and the peak memory of the process.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from assetdb.unity.content.fonts import sought_fonts
from assetdb.unity.importers.fbx import NotBinaryFbx, read_fbx
from assetdb.unity.importers.managed_dll import NotManaged, read_types, script_file_id
from assetdb.unity.importers.model import model_objects
from assetdb.unity.importers.model_settings import ModelSettings, read_settings
from assetdb.unity.importers.model_text import names_in_collada
from assetdb.unity.importers.scripted import scripted_objects
from assetdb.unity.referring.other_forms import other_references
from assetdb.unity.settings.packages import read_packages
from assetdb.unity.yaml.annotation import annotate
from assetdb.unity.yaml.property_path import places
from assetdb_formats.binary import FormatError
from scripts.arguments import Given, script
from scripts.fuzz.running import damage, kept_in, run
from tests.assetdb.unity.content.font_writer import Text, font
from tests.assetdb.unity.importers.dll_writer import Layout, TypeRow, dll
from tests.assetdb.unity.importers.fbx_writer import Node, model
from tests.assetdb.unity.importers.gltf_writer import glb
from tests.assetdb.unity.yaml.test_annotation import without_comments

_GUID: Final = "0123456789abcdef0123456789abcdef"
_COLLADA: Final = b'<node name="A"><node id="x"><node name="B &amp; C"/></node></node><material name="Paint"/>'
_NODES: Final = (
    Node("Car", "Null", (Node("Body", "Mesh", (), ("Paint",)), Node("Eye", "Camera"), Node("Body_LOD0", "Mesh"))),
    Node("Driver", "Skinned", (Node("Hips", "LimbNode", (Node("Head", "LimbNode"),)),), ("Skin",)),
)
_META: Final = f"""\
fileFormatVersion: 2
guid: {_GUID}
ModelImporter:
  externalObjects:
  - first:
      type: UnityEngine:Material
      assembly: UnityEngine.CoreModule
      name: 'Paint'
    second: {{fileID: 2100000, guid: {_GUID}, type: 2}}
  animations:
    clipAnimations:
    - serializedVersion: 16
      name: "Run\\u2122"
      takeName: Take 001
  meshes:
    fileIdsGeneration: 2
  humanDescription:
    skeleton:
    - name: Hips
      parentName: Car
"""
_YAML: Final = f"""\
%YAML 1.1
--- !u!114 &11400000
MonoBehaviour:
  m_Script: {{fileID: 11500000, guid: {_GUID}, type: 3}}
  m_Modification:
  - target: {{fileID: -5, guid: {_GUID},
      type: 3}}
    propertyPath: a.m_AssetGUID
    value: {_GUID}
  text: 'a # b'
  list: [{{fileID: 7}}, {{fileID: 8}}]
  json: '{{"obj":{{"fileID":10202,"guid":"{_GUID}","type":0}}}}'
  table: GUID:{_GUID}
"""
_DOCUMENTS: Final = (
    _YAML
    + f"""\
--- !u!1 &1
GameObject:
  m_Component:
  - component: {{fileID: 2}}
  - - {{fileID: 2, guid: {_GUID}}}
--- !u!114 &2 stripped
MonoBehaviour:
  m_GameObject: {{fileID: 1}}
"""
)
_LOCK: Final = f"""\
{{"dependencies": {{
  "a.b": {{"version": "1.0.0", "depth": 0, "source": "registry"}},
  "c": {{"version": "git@example.org:c.git?path=/x#v1", "source": "git", "hash": "{_GUID}01234567"}},
  "d": {{"version": "file:../../D", "source": "local"}}, "e": {{"version": "file:E", "source": "embedded"}}
}}}}"""
_ACTIONS: Final = f'{{"maps": [{{"name": "UI", "actions": [{{"name": "Submit", "id": "{_GUID}"}}, {{"name": "X"}}]}}]}}'
_GLTF: Final = {
    "scenes": [{"name": "Scene", "nodes": [0, 1]}],
    "nodes": [{"name": "A", "children": [1, 2]}, {"name": "B"}, {"name": "C", "children": [0]}],
    "meshes": [{"name": "M"}],
    "animations": [{"name": "Idle"}],
}
_OTHER: Final = {
    "asmdef": f'{{"name": "a", "references": ["GUID:{_GUID}", "b"]}}',
    "shadergraph": f'{{"a": "{{\\"mesh\\":{{\\"fileID\\":28,\\"guid\\":\\"{_GUID}\\"}}}}", "m_Source": "{_GUID}"}}',
    "uss": f"a {{ src: url('project://database/a.png?fileID=2800000&guid={_GUID}&type=3#a'); }}",
    "vfx": _YAML,
}


def run_fbx(data: bytes, source: random.Random) -> str:
    """Read a model and name its objects; return the outcome."""
    found = read_fbx(data)
    settings = ModelSettings(source.randrange(3), preserve_hierarchy=source.random() < 0.3)
    if source.random() < 0.2:
        settings = read_settings(damage(_META.encode(), source, [_META.encode()]))
    if isinstance(found, NotBinaryFbx):
        model_objects(None, settings, stem="x")
        return "other"
    for item in model_objects(found, settings, stem="x").values():
        item.path.encode()
    return "read"


def run_dll(data: bytes, _source: random.Random) -> str:
    """List the types of a DLL."""
    found = read_types(data)
    if isinstance(found, NotManaged):
        return "other"
    for item in found[:8]:
        script_file_id(item.namespace, item.name)
    return "read"


def run_packages(data: bytes, source: random.Random) -> str:
    """Read a lock (or the same bytes as a manifest) and check that no folder leaves the project unasked."""
    found = read_packages(data if source.random() < 0.5 else None, data, ["E"])
    for package in found.packages:
        if package.source != "local" and any(".." in folder.split("/") for folder in package.folders):
            raise AssertionError(package)
    return "other" if found.problems else "read"


def run_other(data: bytes, source: random.Random) -> str:
    """Look for references in every other form."""
    found = other_references(data, source.choice(list(_OTHER)))
    for reference in found:
        if bytes.fromhex(data[reference.offset : reference.offset + 32].decode()) != reference.guid:
            raise AssertionError(reference)
    return "read" if found else "other"


def run_places(data: bytes, source: random.Random) -> str:
    """Find the properties at some offsets, most of them of no reference, some behind the file."""
    offsets = sorted(source.randrange(len(data) + 3) for _ in range(source.randrange(8)))
    found = places(data, offsets)
    for offset, place in zip(offsets, found, strict=True):
        if place.line != data.count(b"\n", 0, offset) + 1:
            raise AssertionError((offset, place))
    return "read" if any(place.path for place in found) else "other"


def run_annotation(data: bytes, _source: random.Random) -> str:
    """Annotate, take the comments off, compare."""
    found = annotate(
        data, lambda guid, file_id, target: f"{guid.hex()} # {file_id} {target}", lambda file_id: f"{file_id}\n"
    )
    if without_comments(found) != data:
        raise AssertionError(data)
    return "read" if found != data else "other"


def run_scripted(data: bytes, source: random.Random) -> str:
    """Name the objects of scripted importers."""
    found = scripted_objects(source.choice(("glb", "inputactions")), data, stem="x")
    for item in found.values():
        item.path.encode()
    return "read" if any(item.certain and item.path for item in found.values()) else "other"


def run_fonts(data: bytes, source: random.Random) -> str:
    """Read the families that a font, and the same bytes as its meta, name."""
    found = sought_fonts(data if source.random() < 0.3 else b"", data)
    for family in found.families:
        family.encode()
    return "read" if found.own else "other"


def run_collada(data: bytes, _source: random.Random) -> str:
    """List names and paths of a COLLADA file."""
    found = names_in_collada(data)
    for name in found:
        name.encode()
    return "read" if found else "other"


PARTS: Final[dict[str, tuple[Callable[[bytes, random.Random], str], list[bytes]]]] = {
    "fbx": (run_fbx, [model(version, _NODES, ("Run",)) for version in (6100, 7100, 7400, 7500, 7700)]),
    "dll": (
        run_dll,
        [
            dll([TypeRow("A.B", f"T{number}", number % 3, ("def", number)) for number in range(12)], layout)
            for layout in (
                Layout(),
                Layout(pe_plus=True, wide_strings=True),
                Layout(fields=9, methods=9, pointers=True, stream=b"#-"),
            )
        ],
    ),
    "packages": (run_packages, [_LOCK.encode(), b'{"dependencies": {"a": "1.0.0", "b": "file:../b.tgz"}}']),
    "scripted": (run_scripted, [glb(_GLTF), _ACTIONS.encode()]),
    "fonts": (run_fonts, [font(Text("Sans Light"), Text("Sans", 16), collection=each) for each in (False, True)]),
    "collada": (run_collada, [_COLLADA]),
    "other": (run_other, [text.encode() for text in _OTHER.values()]),
    "places": (run_places, [text.encode() for text in (_YAML, _DOCUMENTS, _META)]),
    "annotation": (run_annotation, [_YAML.encode(), _YAML.replace("\n", "\r\n").encode(), _META.encode()]),
}


def cases(
    part: str, count: int, seed: int, samples: list[bytes] | None = None
) -> Iterator[tuple[bytes, random.Random]]:
    """Yield mutations of one part, each with what it was made by."""
    bases = samples or PARTS[part][1]
    for number in range(count):
        source = random.Random(f"{part} {seed} {number}")
        yield damage(bases[number % len(bases)], source, bases), source


def attempt(part: str, case: tuple[bytes, random.Random]) -> str:
    """Read a mutation; return the outcome."""
    try:
        return PARTS[part][0](*case)
    except FormatError:
        return "refused"


def fuzz(part: str, count: int, seed: int, samples: list[bytes] | None = None) -> Counter[str]:
    """Run mutations of one part; any exception but the reader's own ends the run."""
    keep = kept_in(f"fuzz-{part}.bin")
    mutated = cases(part, count, seed, samples)
    return run(mutated, partial(attempt, part), lambda case: keep(case[0]), every=100_000)


@script(__doc__, count=20_000, seed=1, only="", samples=[])
def main(given: Given) -> None:
    """Parse arguments, fuzz, report."""
    parts = [given.only] if given.only else list(PARTS)
    for part in parts:
        print(part)
        fuzz(part, given.count // len(parts), given.seed, [Path(name).read_bytes() for name in given.samples])
