"""A bounded reader of the scene in ASCII FBX and Wavefront .obj.

Both give the form of binary FBX (``assetdb.unity.importers.fbx``). Only lines that name objects are read: whatever is
in the braces of an object but its vertices, and every number of an .obj, is skipped.
"""

from __future__ import annotations

import re

from assetdb.unity.importers.fbx import DIFFUSE, KINDS, ROOT, FbxObject, FbxScene, is_scene_name, without_class

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_VERSION: Final = re.compile(rb"FBXVersion:[ \t]*(\d{4})")
# A record and its brace, or the end of one. Braces within quotes are part of a name.
_QUOTED: Final = rb'[^"{}\r\n]*+(?>(?:"[^"\r\n]*+"[^"{}\r\n]*+){0,99999})'
_LINE: Final = re.compile(
    rb"^[ \t]*+(?:(?P<key>[A-Za-z]\w*+):(?P<values>%b)(?P<open>\{)?|(?P<close>\}))" % _QUOTED, re.MULTILINE
)
_STRING: Final = re.compile(rb'"([^"\r\n]*)"')
_NUMBER: Final = re.compile(rb"-?\d{1,19}")
_MOST_OBJECTS: Final = 1 << 20
_GROUP: Final = re.compile(rb"^(?:[go][ \t]+([^\r\n]{1,200})|usemtl[ \t]+([^\r\n]{1,200})|f[ \t])", re.MULTILINE)
_NO_GROUP: Final = "default"


def read_fbx_text(data: bytes) -> FbxScene:
    """Return the objects of an ASCII FBX, without damaged ones."""
    found = _VERSION.search(data)
    return _Parser(int(found[1]) if found is not None else 0).scene(data)


class _Parser:
    """One pass over the lines of a file."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.named = version < 7000
        self.objects: list[FbxObject] = []
        self.ids: dict[bytes, int] = {}
        self.links: list[tuple[bytes, bytes]] = []
        self.takes: list[str] = []
        self.colours: list[tuple[bytes, bytes]] = []
        self.animated = False

    def scene(self, data: bytes) -> FbxScene:
        way: list[bytes] = []  # the keys of the records around a line
        depth = 0
        for line in _LINE.finditer(data):
            if line["close"]:
                depth = max(0, depth - 1)
                del way[depth:]
                continue
            if depth <= len(way) <= 2:
                self.read(way, line["key"], line["values"])
            if line["open"]:
                depth += 1
                if len(way) < 3:
                    way.append(line["key"])
            if len(self.objects) + len(self.links) > _MOST_OBJECTS:
                break
        known = {item.id for item in self.objects} | {ROOT}
        pairs = [(self.node(child), self.node(parent)) for child, parent in self.links]
        connections = tuple((child, parent) for child, parent in pairs if child in known and parent in known)
        diffuse = tuple((self.node(texture), self.node(material)) for texture, material in self.colours)
        return FbxScene(self.version, tuple(self.objects), connections, tuple(self.takes), diffuse, self.animated)

    def read(self, way: list[bytes], key: bytes, values: bytes) -> None:
        if way == [b"Objects"]:
            if key in KINDS:
                self.read_object(key.decode(), values)
            self.animated = self.animated or key == b"AnimationCurve"
        elif way == [b"Objects", b"Texture"]:
            if key in {b"FileName", b"RelativeFilename"} and self.objects and (names := _STRING.findall(values)):
                self.objects[-1] = self.objects[-1]._replace(file=names[0].decode(errors="replace"))
        elif way == [b"Objects", b"Model"]:
            if key == b"Vertices" and self.objects:
                self.objects[-1] = self.objects[-1]._replace(geometry=True)
        elif way == [b"Connections"]:
            words = _STRING.findall(values)
            if words and words[0] == b"OO":
                names = words[1:] if self.named else _NUMBER.findall(values)
                if len(names) >= 2:
                    self.links.append((names[0], names[1]))
            elif words and words[-1] == DIFFUSE and not self.named and len(ids := _NUMBER.findall(values)) >= 2:
                self.colours.append((ids[0], ids[1]))
        elif way == [b"Takes"]:
            if key == b"Take":
                self.takes += [name.decode(errors="replace") for name in _STRING.findall(values)[:1]]
        elif way == [b"Takes", b"Take"]:
            self.animated = self.animated or key == b"Model"

    def read_object(self, kind: str, values: bytes) -> None:
        words = _STRING.findall(values)
        number = _NUMBER.match(values.lstrip())
        if not words or (number is None and not self.named):
            return
        file_id = len(self.objects) + 1 if self.named or number is None else int(number[0])
        self.ids.setdefault(words[0], file_id)
        subclass = words[1].decode(errors="replace") if len(words) > 1 else ""
        self.objects.append(FbxObject(file_id, kind, without_class(words[0]), subclass))

    def node(self, name: bytes) -> int:
        if not self.named:
            return int(name)
        return ROOT if is_scene_name(name) else self.ids.get(name, -1)


def read_obj(data: bytes) -> FbxScene:
    """Return the groups with faces of a Wavefront .obj, and its materials.

    Unity makes each a node below the root, even if there is only one: cubeRoom.obj has ``cubeRoomEnv``, and not the
    group ``default`` before it, which has vertices alone.
    """
    groups: dict[str, None] = {}
    materials: dict[str, None] = {}
    group = _NO_GROUP
    for line in _GROUP.finditer(data):
        if line[1] is not None:
            group = line[1].decode(errors="replace").strip().replace(" ", "_") or _NO_GROUP
        elif line[2] is not None:
            materials[line[2].decode(errors="replace").strip()] = None
        else:
            groups[group] = None
        if len(groups) + len(materials) > _MOST_OBJECTS:
            break
    nodes = [FbxObject(number, "Model", name, "Mesh", geometry=True) for number, name in enumerate(groups, start=1)]
    more = [FbxObject(number, "Material", name, "") for number, name in enumerate(materials, start=len(nodes) + 1)]
    links = tuple((node.id, ROOT) for node in nodes)
    return FbxScene(0, (*nodes, *more), links, (), drops_root=False)
