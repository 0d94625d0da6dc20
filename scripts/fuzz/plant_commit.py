"""Faults of commits: what git lacks or ignores, names of one machine, large files, and packages.

A file that git lacks is on the author's disk alone: there `not-committed` is expected, in a clone the loss itself.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Final

from scripts.fuzz.plant_faults import (
    FAULTS,
    LFS_POINTER,
    LOST,
    Expected,
    Fault,
    NoPlaceError,
    Planted,
    Planter,
    fault,
    meta,
    plain_users,
)

_IGNORE: Final = ".gitignore"
_ATTRIBUTES: Final = ".gitattributes"
_NOT_HERE: Final = ("not-committed", "build-scene", *LOST)
_HALF: Final = ("not-committed", "missing-meta", "orphan-meta")


def _text(at: Planter, path: str) -> bytes:
    """Return a file at the root of the project, empty if there is none."""
    file = at.tree.root / path
    return file.read_bytes() if file.is_file() else b""


def _used_of(at: Planter, extensions: Sequence[str]) -> str:
    """Choose an asset of a kind that another file uses."""
    tree = at.tree
    paths = [path for path in tree.of_kind(*extensions) if path.startswith("Assets/") and plain_users(tree, path)]
    return at.one_of(paths)


def _hidden(
    at: Planter, path: str, gone: Sequence[str], codes: Sequence[str], ignored: str = "", name: str = ""
) -> Planted:
    """Take files out of git and leave them on the disk."""
    edits: dict[str, bytes | None] = dict.fromkeys(gone)
    if ignored:
        edits[_IGNORE] = _text(at, _IGNORE) + f"\n{ignored}\n".encode()
    loose = {item: at.tree.text(item) for item in gone}
    guid = at.tree.guid_of.get(path, "")
    users = frozenset(item.path for item in at.tree.users.get(guid, ()))
    expected = Expected(codes, "", message=name, about=() if name else (path, guid))
    # In a clone only the lost references tell it, and any of these may be of a package of which nothing is known.
    return Planted(edits, [expected], at.words(path, guid) | users, needs_history=f"{path}.meta" in gone, loose=loose)


# --- not in git


def _not_added(*extensions: str) -> Fault:
    """Return a fault that leaves asset and meta out of the commit."""

    def plant(at: Planter) -> Planted:
        path = _used_of(at, extensions)
        return _hidden(at, path, (path, f"{path}.meta"), _NOT_HERE)

    return plant


def _ignored(rule: Callable[[str], str], *extensions: str) -> Fault:
    """Return a fault that ignores asset and meta."""

    def plant(at: Planter) -> Planted:
        path = _used_of(at, extensions)
        return _hidden(at, path, (path, f"{path}.meta"), _NOT_HERE, rule(path))

    return plant


_KINDS: Final = {
    "script": (".cs",),
    "material": (".mat",),
    "prefab": (".prefab",),
    "texture": (".png", ".jpg", ".tga", ".psd"),
    "model": (".fbx", ".FBX", ".obj"),
    "sound": (".wav", ".mp3", ".ogg"),
    "shader": (".shader",),
    "animation": (".anim", ".controller"),
    "object": (".asset",),
}
for _name, _extensions in _KINDS.items():
    FAULTS[f"{_name}-not-added"] = _not_added(*_extensions)
for _name in ("script", "texture", "prefab", "object"):
    FAULTS[f"{_name}-ignored"] = _ignored(lambda path: f"/{path}*", *_KINDS[_name])
FAULTS["texture-ignored-by-its-kind"] = _ignored(lambda path: f"*.{path.rpartition('.')[2]}*", ".tga", ".psd", ".png")


@fault
def folder_ignored(at: Planter) -> Planted:
    """Ignore the folder of an asset that is used; only that asset is out of git."""
    path = at.used()
    folder = path.rpartition("/")[0]
    return _hidden(at, path, (path, f"{path}.meta"), _NOT_HERE, f"/{folder}/")


@fault
def build_scene_not_added(at: Planter) -> Planted:
    """Leave a scene of the build out of the commit."""
    build = "ProjectSettings/EditorBuildSettings.asset"
    text = at.tree.text(build) if build in at.tree.files else b""
    scenes = [match.decode() for match in re.findall(rb"enabled: 1\r?\n    path: (Assets/.*?\.unity)\r?\n", text)]
    path = at.one_of([path for path in scenes if path in at.tree.guid_of])
    return _hidden(at, path, (path, f"{path}.meta"), ("not-committed", "build-scene", "no-build-scene"))


@fault
def meta_not_added(at: Planter) -> Planted:
    """Commit a used asset without its meta."""
    path = at.used()
    return _hidden(at, path, (f"{path}.meta",), _HALF, name=path)


@fault
def meta_ignored(at: Planter) -> Planted:
    """Ignore the meta of a used asset."""
    path = at.used()
    return _hidden(at, path, (f"{path}.meta",), _HALF, f"/{path}.meta", name=path)


@fault
def metas_of_a_kind_ignored(at: Planter) -> Planted:
    """Ignore all metas of a kind; one is not in git yet."""
    path = at.used()
    return _hidden(at, path, (f"{path}.meta",), _HALF, f"*.{path.rpartition('.')[2]}.meta", name=path)


@fault
def asset_not_added_but_its_meta(at: Planter) -> Planted:
    """Commit the meta of a used asset without the asset."""
    path = at.used()
    return _hidden(at, path, (path,), (*_HALF, *_NOT_HERE))


@fault
def asset_ignored_but_its_meta(at: Planter) -> Planted:
    """Ignore a used asset whose meta is in git."""
    path = at.used()
    return _hidden(at, path, (path,), (*_HALF, *_NOT_HERE), f"/{path}")


@fault
def new_asset_without_its_meta(at: Planter) -> Planted:
    """Add an asset, and leave the meta that Unity wrote out of the commit."""
    path = f"Assets/planted_{at.chooser.randrange(1 << 30)}.txt"
    made = {f"{path}.meta": meta(at.guid(), "TextScriptImporter")}
    return Planted({path: b"text\n"}, [Expected(_HALF, "", message=path)], frozenset((path,)), loose=made)


@fault
def new_meta_without_its_asset(at: Planter) -> Planted:
    """Add the meta of a new asset, and leave the asset out of the commit."""
    path = f"Assets/planted_{at.chooser.randrange(1 << 30)}.txt"
    edits = {f"{path}.meta": meta(at.guid(), "TextScriptImporter")}
    return Planted(edits, [Expected(_HALF, "", message=path)], frozenset((path,)), loose={path: b"text\n"})


@fault
def folder_without_files(at: Planter) -> Planted:
    """Commit the meta of a folder that is empty, which git does not keep."""
    path = f"Assets/planted_{at.chooser.randrange(1 << 30)}"
    edits = {f"{path}.meta": meta(at.guid(), "folderAsset: yes\nDefaultImporter")}
    return Planted(edits, [Expected(("missing-directory",), f"{path}.meta")], frozenset((path,)))


@fault
def meta_of_a_hidden_folder(at: Planter) -> Planted:
    """Commit the meta of a folder that Unity does not import."""
    path = f"Assets/planted_{at.chooser.randrange(1 << 30)}~"
    edits = {f"{path}/x.md": b"text\n", f"{path}.meta": meta(at.guid(), "folderAsset: yes\nDefaultImporter")}
    return Planted(edits, [Expected(("orphan-meta", "hidden-metas"), "", message=path)], frozenset((path,)))


# --- names that another machine cannot have


def _called(name: str) -> Fault:
    """Return a fault that adds a file of a name, in which N is drawn."""

    def plant(at: Planter) -> Planted:
        folder = f"planted_{at.chooser.randrange(1 << 30)}"
        path = f"Assets/{folder}/{name}"
        edits = {path: b"text\n", f"{path}.meta": meta(at.guid(), "TextScriptImporter")}
        for above in PurePosixPath(path).parents[:-2]:
            edits[f"{above}.meta"] = meta(at.guid(), "folderAsset: yes\nDefaultImporter")
        return Planted(edits, [Expected(("unportable-name",), "", message=folder)], frozenset((folder,)))

    return plant


for _name, _own in {
    "colon": "a: b.txt",
    "question-mark": "why?.txt",
    "star": "a*b.txt",
    "bar": "a|b.txt",
    "quote": 'a"b.txt',
    "less-than": "a<b.txt",
    "greater-than": "a>b.txt",
    "device": "aux.txt",
    "device-with-a-number": "com1.txt",
    "device-in-capitals": "NUL.txt",
    "device-as-a-folder": "con/a.txt",
    "last-space": "a.txt ",
    "last-dot-of-a-folder": "a./b.txt",
    "last-space-of-a-folder": "a /b.txt",
    "long": f"{'folder of a long name/' * 11}a.txt",
}.items():
    FAULTS[f"name-with-{_name}"] = _called(_own)


@fault
def names_that_differ_in_case(at: Planter) -> Planted:
    """Add a file that has the name of another in another case."""
    path = at.used()
    folder, _, name = path.rpartition("/")
    other = f"{folder}/{name.swapcase()}"
    if other in at.tree.files or other == path:
        raise NoPlaceError
    edits = {other: at.tree.text(path), f"{other}.meta": meta(at.guid(), "DefaultImporter")}
    return Planted(edits, [Expected(("unportable-name", "case-mismatch"), "", message=name)], at.words(path, other))


@fault
def names_that_differ_in_their_form(at: Planter) -> Planted:
    """Add two files with names that are one to macOS."""
    stem = f"Assets/planted_{at.chooser.randrange(1 << 30)}_\u00e9.txt"
    edits: dict[str, bytes | None] = {}
    for path in (unicodedata.normalize("NFC", stem), unicodedata.normalize("NFD", stem)):
        edits |= {path: b"text\n", f"{path}.meta": meta(at.guid(), "TextScriptImporter")}
    word = stem.partition("_\u00e9")[0]
    return Planted(edits, [Expected(("unportable-name", "unicode-mismatch"), "", message=word)], frozenset((word,)))


# --- large files


@fault
def pointer_without_a_rule(at: Planter) -> Planted:
    """Commit a pointer of Git LFS that no rule covers."""
    path = f"Assets/planted_{at.chooser.randrange(1 << 30)}.planted"
    edits = {path: LFS_POINTER, f"{path}.meta": meta(at.guid(), "DefaultImporter")}
    return Planted(edits, [Expected(("lfs-mismatch", "lfs-pointer"), "", message=path)], frozenset((path,)))


def _content(size: int) -> Fault:
    """Return a fault that commits plain content where a rule wants a pointer."""

    def plant(at: Planter) -> Planted:
        return _given_to_lfs(at, b"x" * size)

    return plant


FAULTS["content-that-a-rule-gives-to-lfs"] = _content(5000)
FAULTS["small-content-that-a-rule-gives-to-lfs"] = _content(300)


def _given_to_lfs(at: Planter, content: bytes) -> Planted:
    path = f"Assets/planted_{at.chooser.randrange(1 << 30)}.planted"
    rule = b"\n*.planted filter=lfs diff=lfs merge=lfs -text\n"
    edits = {path: content, f"{path}.meta": meta(at.guid(), "DefaultImporter")}
    edits[_ATTRIBUTES] = _text(at, _ATTRIBUTES) + rule
    return Planted(edits, [Expected(("lfs-mismatch",), "", message=path)], frozenset((path,)), in_git=True)


@fault
def large_file(at: Planter) -> Planted:
    """Commit a file that a host of git refuses."""
    path = f"Assets/planted_{at.chooser.randrange(1 << 30)}.bytes"
    edits = {path: bytes((100 << 20) + 1), f"{path}.meta": meta(at.guid(), "DefaultImporter")}
    return Planted(edits, [Expected(("large-file",), "", message=path)], frozenset((path,)), in_git=True)


# --- packages


_SCRIPTS: Final = {
    "com.unity.addressables": ("468a46d0ae32c3544b7d98094e6448a9",),  # AddressableAssetSettings
    "com.unity.cinemachine": ("72ece51f2901e7445ab60da3685d6b5f", "45e653bab7fb20e499bda25e1b646fea"),  # brain, camera
    "com.unity.inputsystem": ("62899f850307741f2a39c98a8b639597",),  # PlayerInput
    "com.unity.textmeshpro": ("f4688fdb7df04437aeb418b961361dc5", "9541d86e2fd84c1d9990edf0852d74ab"),  # UI and world
    "com.unity.timeline": ("bfda56da833e2384a9677cd3c976a436",),  # TimelineAsset
    "com.unity.ugui": ("fe87c0e1cc204ed48ad3b37840f39efc", "5f7201a12d95ffc409449d95f23cf332"),  # Image, Text
}
"""GUIDs of components and assets that projects use most, by package."""


@fault
def package_taken_out(at: Planter) -> Planted:
    """Take a package out of manifest and lock that assets of the project use, and no other package needs."""
    files = [path for path in ("Packages/manifest.json", "Packages/packages-lock.json") if path in at.tree.files]
    contents = [json.loads(at.tree.text(path)) for path in files]
    listed = [content.get("dependencies", {}) for content in contents]
    needed = {
        name for row in listed[-1:] for each in row.values() if isinstance(each, dict) for name in each["dependencies"]
    }
    used = [name for name, guids in _SCRIPTS.items() if any(at.tree.users.get(guid) for guid in guids)]
    chosen = at.one_of([name for name in used if listed and name in listed[0] and name not in needed])
    for row in listed:
        row.pop(chosen, None)
    edits: dict[str, bytes | None] = {}
    for path, content in zip(files, contents, strict=True):
        edits[path] = json.dumps(content, indent=2).encode()
    expected = Expected(("missing-script", "missing-asset", "package-leftover"), "", message=chosen)
    return Planted(edits, [expected], frozenset(("*",)), is_new=True)


@fault
def package_twice(at: Planter) -> Planted:
    """Copy an embedded package below Assets."""
    tree = at.tree
    heads = [path for path in tree.files if re.fullmatch(r"Packages/[^/]+/package\.json", path)]
    folder = at.one_of(heads).rpartition("/")[0]
    name = folder.rpartition("/")[2]
    copied = {path.replace(folder, f"Assets/{name}"): tree.text(path) for path in tree.files if path.startswith(folder)}
    return Planted(copied, [Expected(("duplicate-guid", "guid-in-package"), "", message=name)], frozenset(("*",)))
