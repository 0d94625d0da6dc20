"""Candidate identities of a small Unity project: what its built objects may have been made of.

Metas give GUIDs, YAML anchors the fileIDs of native assets and prefabs, names in FBX files those of models
(``fileIdsGeneration: 2``). A reader of FBX that knows more is not needed: every name is tried in every role.
"""

from __future__ import annotations

import re
from struct import unpack_from
from typing import TYPE_CHECKING

import xxhash

from assetdb_formats.unityfs.identity import IMPORTED, NATIVE, Source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAIN_IDS = (2800000, 21300000, 100100000, 11500000, 4800000, 8300000, 7400000, 9100000, 2100000, 11400000)
COMPONENTS = (
    "Transform",
    "MeshFilter",
    "MeshRenderer",
    "SkinnedMeshRenderer",
    "Animator",
    "Animation",
    "Camera",
    "Light",
)


def candidates(root: Path) -> Iterator[Source]:
    for meta in sorted(root.rglob("*.meta")):
        found = re.search(r"^guid: ([0-9a-f]{32})", meta.read_text("utf-8"), re.MULTILINE)
        asset = meta.with_suffix("")
        if found is None or not asset.is_file():
            if found is not None:  # a script whose source is not in the corpus
                yield Source(found[1], IMPORTED, 11500000)
            continue
        data = asset.read_bytes()
        ids = {*MAIN_IDS, *(int(anchor) for anchor in re.findall(rb"^--- !u!\d+ &(-?\d+)", data, re.MULTILINE))}
        if data.startswith(b"Kaydara FBX Binary"):
            ids.update(model_ids(data))
        for file_id in sorted(ids):
            yield Source(found[1], NATIVE, file_id)
            yield Source(found[1], IMPORTED, file_id)
    for file_id in range(1, 20_000):
        yield Source("", 0, file_id)


def model_ids(data: bytes) -> Iterator[int]:
    names, models, parents = _fbx(data)
    paths = {""}
    for model in models:
        # Unity drops a single root node, so each path is tried with and without its first part.
        parts: list[str] = []
        at: int | None = model
        while at is not None and len(parts) < 50:
            parts.insert(0, models[at])
            at = parents.get(at)
        paths |= {"/".join(("", *parts)), "/".join(("", *parts[1:]))}
    for path in paths:
        yield _hashed(f"GameObject->//RootNode/root{path}0")
        for component in COMPONENTS:
            yield _hashed(f"{component}->//RootNode/root{path}/{component}0")
    for name in names:
        for role in ("Mesh", "Material", "AnimationClip", "Avatar"):
            yield _hashed(f"{role}->{name}0")


def _hashed(name: str) -> int:
    return unpack_from("<q", xxhash.xxh64(f"Type:{name}".encode()).digest()[::-1])[0]  # type: ignore[no-any-return]


def _fbx(data: bytes) -> tuple[set[str], dict[int, str], dict[int, int]]:
    """Return all names, the models by id, and the parent of each model that has one."""
    wide = unpack_from("<I", data, 23)[0] >= 7500
    names: set[str] = set()
    models: dict[int, str] = {}
    parents: dict[int, int] = {}
    waiting = [27]
    while waiting:
        at = waiting.pop()
        end, _, size = unpack_from("<QQQ" if wide else "<III", data, at)
        if not end:
            continue
        head = at + (24 if wide else 12)
        length = data[head]
        name = data[head + 1 : head + 1 + length]
        properties = head + 1 + length
        waiting.append(end)
        if name in (b"Objects", b"Connections"):
            waiting.append(properties + size)
        elif name == b"C":
            found = _properties(data, properties, 3)
            child, parent = int(found[1]), int(found[2])
            if found[0] == b"OO" and child in models and parent in models:  # bones also hang from their clusters
                parents[child] = parent
        elif name in (b"Model", b"Geometry", b"Material", b"AnimationStack", b"NodeAttribute"):
            number, text = _properties(data, properties, 2)
            assert isinstance(text, bytes)
            plain = text.partition(b"\0\1")[0].decode("utf-8", "replace")
            names.add(plain)
            if name == b"Model":
                models[int(number)] = plain
    return names, models, parents


def _properties(data: bytes, at: int, count: int) -> list[bytes | int]:
    found: list[bytes | int] = []
    for _ in range(count):
        kind = data[at : at + 1]
        if kind == b"L":
            found.append(unpack_from("<q", data, at + 1)[0])
            at += 9
        else:
            size = unpack_from("<I", data, at + 1)[0]
            found.append(data[at + 5 : at + 5 + size])
            at += 5 + size
    return found
