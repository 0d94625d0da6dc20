"""Repeat accidents that teams reported, and count which of them the checks of a change find.

    python -m scripts.fuzz.plant_reported PROJECT... [--places 20] [--states tree,index,commit] [--seed N] [--verbose]

The kinds are those of public reports, each with its source; none was made from a rule. Each is planted at a number of
places of each project, a batch of different kinds at a time, in three states: on the disk alone (``check --since
HEAD``), in the index (``--staged``), in a commit (``--since HEAD~1``). What Unity writes by itself is on the disk in the
last two, and was not added. Found is an accident that a finding of the right kind names; findings that no accident
explains are false. A meta that gets a byte order mark is reported, too
(https://github.com/manaporkun/UnityRuntimeTransformHandles/issues/36): that code is off, as Unity usually reads it.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from scripts.arguments import Given, script
from scripts.fuzz.lost_values import edited, stored_fields
from scripts.fuzz.plant_faults import CONFLICT, LFS_POINTER, LOST, NoPlaceError, Planter, meta
from scripts.fuzz.plant_tree import Tree
from scripts.programs import CHECKOUT, assetdb, copied, git, repository

STATES: Final = {"tree": ("--since", "HEAD"), "index": ("--staged",), "commit": ("--since", "HEAD~1")}
_TRIES: Final = 20
_HALF: Final = ("missing-meta", "not-committed", "orphan-meta", "missing-directory")
_GUID: Final = re.compile(rb"^guid: [0-9a-f]{32}", re.MULTILINE)
_FOLDER: Final = "folderAsset: yes\nDefaultImporter"


class Accident(NamedTuple):
    """A change of files, and the finding that has to come."""

    edits: Mapping[str, bytes | None]  # new bytes by path, None for a file that is deleted
    codes: Sequence[str]  # any of these
    path: str  # of the finding, or a word of its message
    loose: Mapping[str, bytes] = MappingProxyType({})  # on the disk, and not added
    more: frozenset[str] = frozenset()  # words that explain other findings
    in_git: bool = False  # whether nothing is wrong before it is added


Kind: TypeAlias = "Callable[[Planter], Accident]"
KINDS: Final[dict[str, Kind]] = {}
SOURCES: Final[dict[str, str]] = {}


def kind(source: str) -> Callable[[Kind], Kind]:
    """Register a kind under the name of its function; ``source`` is the report."""

    def register(function: Kind) -> Kind:
        SOURCES[function.__name__.replace("_", "-")] = source
        KINDS[function.__name__.replace("_", "-")] = function
        return function

    return register


def _new(at: Planter, ending: str = ".txt") -> str:
    """Return the path of a new file in a folder that there is."""
    folder = at.one_of(sorted(path for path in at.tree.guid_of if (at.tree.root / path).is_dir()))
    return f"{folder}/reported {at.chooser.randrange(1 << 30)}{ending}"


def _used(at: Planter) -> tuple[str, frozenset[str]]:
    """Return an asset that others use, and the words of both."""
    path = at.used()
    return path, at.words(path)


# --- halves of assets


@kind("https://ratelimited.io/metabuddy/docs/errors/")
def asset_without_its_meta(at: Planter) -> Accident:
    """Add a file, and not the meta that Unity made."""
    path = _new(at)
    return Accident({path: b"text\n"}, _HALF, path, {f"{path}.meta": meta(at.guid(), "TextScriptImporter")})


@kind("https://ratelimited.io/metabuddy/docs/errors/")
def directory_without_its_meta(at: Planter) -> Accident:
    """Add the files of a new folder, and not its meta."""
    folder = _new(at, "")
    path = f"{folder}/a.txt"
    edits = {path: b"text\n", f"{path}.meta": meta(at.guid(), "TextScriptImporter")}
    return Accident(edits, _HALF, folder, {f"{folder}.meta": meta(at.guid(), _FOLDER)})


@kind("https://www.forrestthewoods.com/blog/managing_meta_files_in_unity/")
def meta_without_its_asset(at: Planter) -> Accident:
    """Add a meta, and not its file."""
    path = _new(at)
    return Accident({f"{path}.meta": meta(at.guid(), "TextScriptImporter")}, _HALF, path, {path: b"text\n"})


@kind("https://www.forrestthewoods.com/blog/managing_meta_files_in_unity/")
def meta_deleted_without_its_asset(at: Planter) -> Accident:
    """Delete the meta of an asset."""
    path, words = _used(at)
    return Accident({f"{path}.meta": None}, _HALF, path, more=words)


@kind("https://www.forrestthewoods.com/blog/managing_meta_files_in_unity/")
def asset_deleted_without_its_meta(at: Planter) -> Accident:
    """Delete an asset, and not its meta."""
    path, words = _used(at)
    return Accident({path: None}, (*_HALF, *LOST), path, more=words)


@kind("https://unityatscale.com/unity-meta-file-guide/forgotten-meta-file-stop-the-line/")
def asset_renamed_without_its_meta(at: Planter) -> Accident:
    """Rename a file outside of the editor."""
    path, words = _used(at)
    new = _new(at, f".{path.rpartition('.')[2]}")
    return Accident({path: None, new: at.tree.text(path)}, (*_HALF, *LOST), new, more=words)


# --- GUIDs


@kind("https://www.forrestthewoods.com/blog/managing_meta_files_in_unity/")
def asset_copied_with_its_meta(at: Planter) -> Accident:
    """Copy an asset with its GUID."""
    path, words = _used(at)
    new = _new(at, f".{path.rpartition('.')[2]}")
    edits = {new: at.tree.text(path), f"{new}.meta": at.tree.text(f"{path}.meta")}
    return Accident(edits, ("duplicate-guid",), new, more=words)


@kind("https://github.com/EsotericSoftware/spine-runtimes/pull/220")
def meta_made_anew(at: Planter) -> Accident:
    """Replace the GUID of an asset."""
    path, words = _used(at)
    text = _GUID.sub(f"guid: {at.guid()}".encode(), at.tree.text(f"{path}.meta"))
    return Accident({f"{path}.meta": text}, LOST, at.tree.guid_of[path], more=words)


@kind("https://github.com/unity3d-jp/StreamingImageSequence/pull/493")
def two_guids_after_a_merge(at: Planter) -> Accident:
    """Keep the GUIDs of both sides."""
    path, words = _used(at)
    own = at.tree.text(f"{path}.meta")
    line = f"\nguid: {at.guid()}".encode()
    text = _GUID.sub(lambda match: match[0] + line, own, count=1)
    return Accident({f"{path}.meta": text}, ("broken-asset", "no-guid", "duplicate-key"), path, more=words)


@kind("https://github.com/YarnSpinnerTool/YarnSpinner-Unity/issues/284")
def merge_committed_unresolved(at: Planter) -> Accident:
    """Commit the markers of a merge."""
    path = at.text_asset()
    lines = at.tree.lines(path)
    place = at.chooser.randrange(3, len(lines))
    lines[place:place] = [CONFLICT[0], lines[place - 1], CONFLICT[1], lines[place - 1], CONFLICT[2]]
    return Accident({path: b"".join(lines)}, ("conflict-markers",), path, more=at.words(path))


@kind("https://github.com/decentraland/unity-renderer/issues/1039")
def asset_deleted_that_others_use(at: Planter) -> Accident:
    """Delete an asset with its meta."""
    path, words = _used(at)
    return Accident({path: None, f"{path}.meta": None}, LOST, at.tree.guid_of[path], more=words)


# --- what git ignores or was not told


def _user(at: Planter, guid: str) -> tuple[str, dict[str, bytes | None]]:
    """Return a new material with a texture, with its meta."""
    path = _new(at, ".mat")
    text = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!21 &2100000\nMaterial:\n  serializedVersion: 6\n"
    text += (
        f"  m_Name: {Path(path).stem}\n  m_Shader: {{fileID: 46, guid: 0000000000000000f000000000000000, type: 0}}\n"
    )
    text += "  m_SavedProperties:\n    serializedVersion: 3\n    m_TexEnvs:\n    - _MainTex:\n"
    text += f"        m_Texture: {{fileID: 2800000, guid: {guid}, type: 3}}\n"
    return path, {path: text.encode(), f"{path}.meta": meta(at.guid(), "NativeFormatImporter")}


def _texture(at: Planter, path: str) -> tuple[str, dict[str, bytes]]:
    guid = at.guid()
    return guid, {path: b"\x89PNG\r\n\x1a\n" + bytes(64), f"{path}.meta": meta(guid, "TextureImporter")}


@kind("https://github.com/ItsJokerZz/FPKGi/issues/19")
def used_asset_not_added(at: Planter) -> Accident:
    """Add a material, and not its texture."""
    guid, loose = _texture(at, _new(at, ".png"))
    path, edits = _user(at, guid)
    return Accident(edits, ("not-committed", *LOST, "unknown-guid"), path, loose, frozenset(loose))


@kind("https://blog.doppioslash.com/mildly-painful-solution-to-unity3ds-meta-guid-hell/")
def used_asset_added_without_its_meta(at: Planter) -> Accident:
    """Add a material and its texture, and not the meta of that."""
    name = _new(at, ".png")
    guid, loose = _texture(at, name)
    path, edits = _user(at, guid)
    edits[name] = loose.pop(name)
    return Accident(edits, ("not-committed", "missing-meta"), name, loose, frozenset((path,)))


@kind("https://github.com/deep110/BadBlood/issues/1")
def metas_of_a_kind_ignored(at: Planter) -> Accident:
    """Add an asset whose meta git ignores."""
    name = _new(at, f".reported{at.chooser.randrange(1 << 20)}")
    ignore = f"{name.rpartition('/')[0]}/.gitignore"
    edits = {name: b"text\n", ignore: f"*.{name.rpartition('.')[2]}.meta\n".encode()}
    return Accident(edits, _HALF, name, {f"{name}.meta": meta(at.guid(), "DefaultImporter")})


@kind("https://github.com/microsoft/MixedRealityToolkit-Unity/issues/861")
def folder_of_assets_ignored(at: Planter) -> Accident:
    """Use an asset in a folder that git's usual rules for builds ignore."""
    above = _new(at, "")
    guid, loose = _texture(at, f"{above}/Build/a.png")
    path, edits = _user(at, guid)
    edits |= {f"{above}/.gitignore": b"[Bb]uild/\n", f"{above}.meta": meta(at.guid(), _FOLDER)}
    loose[f"{above}/Build.meta"] = meta(at.guid(), _FOLDER)
    return Accident(edits, ("not-committed", *LOST, "unknown-guid"), path, loose, frozenset((above,)))


# --- names and storage


def _named(name: str) -> Kind:
    def plant(at: Planter) -> Accident:
        folder = _new(at, "")
        path = f"{folder}/{name}"
        edits = {path: b"text\n", f"{path}.meta": meta(at.guid(), "TextScriptImporter")}
        edits[f"{folder}.meta"] = meta(at.guid(), _FOLDER)
        return Accident(edits, ("unportable-name",), path)

    return plant


def _add(name: str, source: str, plant: Kind) -> None:
    KINDS[name], SOURCES[name] = plant, source


_add("name-of-a-time", "https://github.com/coconauts/startcraft-unity3d/issues/5", _named("Captura 20:36:49.txt"))
_add("name-with-a-last-space", "https://github.com/woocommerce/woocommerce/issues/57431", _named("snippets.md "))


@kind("https://github.com/qqqlab/madflight/issues/46")
def folders_that_differ_in_case(at: Planter) -> Accident:
    """Add two folders that are one to Windows."""
    above = _new(at, "")
    edits: dict[str, bytes | None] = {f"{above}.meta": meta(at.guid(), _FOLDER)}
    for folder in ("Madgwick", "madgwick"):
        path = f"{above}/{folder}/{folder}.h"
        edits |= {path: b"text\n", f"{path}.meta": meta(at.guid(), "DefaultImporter")}
        edits[f"{above}/{folder}.meta"] = meta(at.guid(), _FOLDER)
    return Accident(edits, ("unportable-name", "case-mismatch"), above)


@kind("https://github.com/yavfast/dbg-spider/issues/12")
def files_that_differ_in_case(at: Planter) -> Accident:
    """Add two files that are one to Windows."""
    folder = _new(at, "")
    edits: dict[str, bytes | None] = {f"{folder}.meta": meta(at.guid(), _FOLDER)}
    for name in ("README.md", "Readme.md"):
        edits |= {f"{folder}/{name}": b"text\n", f"{folder}/{name}.meta": meta(at.guid(), "TextScriptImporter")}
    return Accident(edits, ("unportable-name", "case-mismatch"), folder)


@kind("https://github.com/tomatenquark/code/issues/29")
def content_that_should_have_been_a_pointer(at: Planter) -> Accident:
    """Add content past the filter of Git LFS."""
    above = _new(at, "")
    path = f"{above}/a.reported"
    edits = {path: b"x" * 5000, f"{path}.meta": meta(at.guid(), "DefaultImporter")}
    edits |= {f"{above}/.gitattributes": b"*.reported filter=lfs diff=lfs merge=lfs -text\n"}
    edits |= {f"{above}.meta": meta(at.guid(), _FOLDER)}
    return Accident(edits, ("lfs-mismatch",), path, in_git=True)


@kind("https://github.com/Unity-Technologies/com.unity.uiwidgets/issues/205")
def pointer_without_a_rule(at: Planter) -> Accident:
    """Add a pointer of Git LFS that no rule covers."""
    path = _new(at, ".reported")
    edits = {path: LFS_POINTER, f"{path}.meta": meta(at.guid(), "DefaultImporter")}
    return Accident(edits, ("lfs-mismatch", "lfs-pointer"), path)


# --- values


def _renamed(change: Callable[[str], str]) -> Kind:
    def plant(at: Planter) -> Accident:
        root = at.tree.root
        field = at.one_of(at.tree.pool("fields", lambda: stored_fields(root)))
        text = field.source.read_text("utf-8-sig", "replace")
        new = edited(text, field.name, "renamed").replace(f"{field.name}Renamed", change(field.name))
        path = field.source.relative_to(root).as_posix()
        return Accident({path: new.encode()}, ("lost-value",), path, more=at.words(path))

    return plant


_GAMELIFT: Final = "https://github.com/amazon-gamelift/amazon-gamelift-plugin-unity/pull/234"
_add("field-renamed", _GAMELIFT, _renamed(lambda name: f"{name}New"))
_add("field-in-another-case", "https://github.com/unitystation/unitystation/issues/2374", _renamed(str.swapcase))


class Site:
    """A copy of a project in a repository."""

    def __init__(self, source: Path, scratch: Path) -> None:
        """Copy a project and commit it."""
        self.root = scratch / "project"
        self._out = scratch / "out"
        copied(source, self.root)
        repository(self.root)
        self.tree = Tree(self.root)

    def found(self, state: str, batch: Sequence[Accident]) -> list[dict[str, Any]]:
        """Return the findings of a change with some accidents in it."""
        for path, data in ((path, data) for each in batch for path, data in each.edits.items()):
            self._write(path, data)
        if state != "tree":
            git(self.root, "add", "-A")
            for path, data in ((path, data) for each in batch for path, data in each.loose.items()):
                self._write(path, data)
        if state == "commit":
            git(self.root, "commit", "-qm", "accidents")
        try:
            command = assetdb("check", *STATES[state], "--format", "json", project=self.root, out_dir=self._out)
            run = subprocess.run(command, capture_output=True, cwd=CHECKOUT, check=False)
        finally:
            if state == "commit":
                git(self.root, "reset", "-q", "--hard", "HEAD~1")
            git(self.root, "reset", "-q", "--hard")
            git(self.root, "clean", "-q", "-ffdx")
        if run.returncode not in (0, 1) or b"Traceback" in run.stderr:
            raise SystemExit(f"check ended with {run.returncode}: {run.stderr.decode(errors='replace')}")
        return [json.loads(line) for line in run.stdout.splitlines()]

    def _write(self, path: str, data: bytes | None) -> None:
        place = self.root / path
        if data is None:
            place.unlink()
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)


def batch_of(tree: Tree, chooser: random.Random) -> dict[str, Accident]:
    """Return one accident of each kind that has a place, no two at one file."""
    found: dict[str, Accident] = {}
    taken: set[str] = set()
    for name in chooser.sample(sorted(KINDS), len(KINDS)):
        for _ in range(_TRIES):
            try:
                accident = KINDS[name](Planter(tree, chooser))
            except NoPlaceError:
                break
            touched = {path.removesuffix(".meta") for path in (*accident.edits, *accident.loose)} | accident.more
            if not taken & touched:
                taken |= touched
                found[name] = accident
                break
    return found


def _says(finding: Mapping[str, Any], accident: Accident) -> bool:
    text = " ".join((finding["path"], finding["target"], finding["message"], finding["asset"]))
    return finding["code"] in accident.codes and accident.path in text


@script(__doc__, "projects+", places=20, states=",".join(STATES), seed=1, verbose=False)
def main(given: Given) -> bool:
    """Plant, check, and print planted and found by kind and state; 1 where one was missed or a finding is false."""
    # Filters of this machine's Git LFS would turn planted content into pointers, and fetch what planted pointers name.
    os.environ |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    planted: Counter[tuple[str, str]] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    false: Counter[str] = Counter()
    states = given.states.split(",")
    for number, project in enumerate(given.projects):
        chooser = random.Random(given.seed + number)
        with tempfile.TemporaryDirectory(prefix="reported-") as scratch:
            site = Site(project, Path(scratch))
            for _ in range(given.places):
                batch = batch_of(site.tree, chooser)
                words = {word for each in batch.values() for word in (*each.edits, *each.loose, *each.more, each.path)}
                words |= {
                    PurePosixPath(word.removesuffix(".meta")).stem for word in words if "/" in word
                }  # as Resources.Load names them
                for state in states:
                    findings = site.found(state, list(batch.values()))
                    for name, accident in batch.items():
                        if accident.in_git and state == "tree":
                            continue
                        planted[state, name] += 1
                        if any(_says(finding, accident) for finding in findings):
                            found[state, name] += 1
                        elif given.verbose:
                            print(
                                f"missed  {project.name}  {state}  {name}: {accident.path} ({SOURCES[name]})",
                                flush=True,
                            )
                    for finding in findings:
                        text = " ".join((finding["path"], finding["target"], finding["message"]))
                        if finding["code"] != "absent-packages" and not any(word in text for word in words):
                            false[
                                f"{project.name} {state}: {finding['code']} {finding['path']}: {finding['message']}"
                            ] += 1
        print(f"{project.name}: {sum(found.values())} of {sum(planted.values())} found so far", flush=True)
    print(f"{'kind':<42}" + "".join(f"{state:>10}" for state in states))
    for name in KINDS:
        print(f"{name:<42}" + "".join(f"{found[state, name]}/{planted[state, name]}".rjust(10) for state in states))
    for text, count in false.most_common():
        print(f"false  {count}  {text}")
    total = sum(found.values()), sum(planted.values())
    print(f"{total[0]} of {total[1]} found ({100 * total[0] / max(1, total[1]):.1f} %), {sum(false.values())} false")
    return bool(false or total[0] < total[1])
