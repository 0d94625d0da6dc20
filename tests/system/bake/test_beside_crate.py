"""Our database beside the Rust crate's own, on every real project: each difference is of a class that is explained."""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

import assetdb
from assetdb.store.entry import Asset
from assetdb.store.schema import read_entries
from assetdb.unity.metas.meta import read_meta, sprite_rows
from assetdb.unity.yaml.scalars import scalar_at
from tests.system.interop import crate

GOLDEN = Path(__file__).parent / "golden" / "beside_crate.json"
SPRITE = 213
WHOLE = Counter({(21300000, SPRITE): 1})
VISUAL_EFFECT = 2083052967
TEXTURE = 28
DEFAULT_ASSET = 1029
EMBEDDED = (".prefab", ".controller", ".anim", ".mixer", ".playable")


class Row(NamedTuple):
    """One name of a database: an asset's own, or a sub-asset's."""

    bucket: tuple[object, str]  # type or class, bare name
    run: str  # what stands behind the bare name
    path: str


def runs(path: str) -> tuple[str, ...]:
    """Return all that may stand behind a contested name, the longest first."""
    parts = path.split("/")
    directories = ["/".join(parts[start:-1]) for start in range(len(parts) - 1)]
    return tuple(
        sorted([*directories, *("/".join(parts[start:]) for start in range(len(parts)))], key=len, reverse=True)
    )


def row(kind: object, name: str, path: str) -> Row:
    for run in runs(path):
        if name.endswith(f"^{run}"):
            return Row((kind, name.removesuffix(f"^{run}")), run, path)
    return Row((kind, name), "", path)


def kind_of(asset: Asset) -> object:
    return asset.script or asset.class_id


def names(asset: Asset, kind: object) -> Iterator[tuple[object, str]]:
    yield kind, asset.name
    if not asset.path.endswith(EMBEDDED):
        for item in asset.sub_assets:
            yield item.class_id, item.name


# What the main object's fileID is where the meta does not say it, by extension.
MAIN = {
    **dict.fromkeys((".asset", ".playable"), 11400000),
    ".mat": 2100000,
    ".controller": 9100000,
    ".anim": 7400000,
    ".mixer": 24100000,
}
HEADER = re.compile(rb"^--- !u!(\d+) &(-?\d+)[^\n]*\n(.*?)(?=^--- |\Z)", re.MULTILINE | re.DOTALL)


class Main(NamedTuple):
    """The main object of a text asset as its meta or its extension tell, and the one that stands first."""

    kind: object  # its class, or its script
    row: tuple[int, int]
    first: tuple[int, int]


def main_object(project: Path, path: str) -> Main | None:
    """Return what is the main object, or None where the first document is."""
    documents = HEADER.findall((project / path).read_bytes().replace(b"\r\n", b"\n"))
    told = re.search(rb"\n  mainObjectFileID: (-?\d+)", (project / f"{path}.meta").read_bytes())
    by_id = {int(file_id): (int(number), body) for number, file_id, body in reversed(documents)}
    wanted = [int(told[1]) if told else 0, MAIN.get(os.path.splitext(path)[1].lower(), 0)]
    found = next((file_id for file_id in wanted if file_id in by_id), None)
    if not documents or found is None or found == int(documents[0][1]):
        return None
    number, body = by_id[found]
    script = re.search(rb"\n  m_Script: \{fileID: -?\d+,\s+guid: (\w{32})", b"\n" + body) if number == 114 else None
    first = int(documents[0][1]), int(documents[0][0])
    return Main(script[1].decode() if script else number, (found, number), first)


def rows_in(asset: Asset) -> list[tuple[int, tuple[object, str]]]:
    """Return fileID, class and bare name of each sub-asset."""
    return [(item.file_id, row(item.class_id, item.name, asset.path).bucket) for item in asset.sub_assets]


def is_single(meta: Path) -> bool:
    """Whether a meta is of a texture that is one sprite."""
    return b"\n  spriteMode: 1\n" in meta.read_bytes().replace(b"\r\n", b"\n")


class Comparison:
    """One project."""

    def __init__(
        self, project: Path, ours: list[Asset], theirs: list[Asset], types: Mapping[str, crate.CachedType]
    ) -> None:
        self.project = project
        self.ours = {asset.guid: asset for asset in ours}
        self.theirs = {asset.guid: asset for asset in theirs}
        self.types = types
        self.differences: Counter[str] = Counter()
        self.unexplained: list[str] = []
        self.retyped = {
            asset.path for asset in ours if asset.path in types and (asset.class_id, asset.script) != types[asset.path]
        }
        self.buckets: dict[tuple[object, str], set[str]] = defaultdict(set)
        for asset in ours:
            for kind, name in names(asset, kind_of(asset)):
                self.buckets[row(kind, name, asset.path).bucket].add(asset.path)
        self.their_buckets: dict[tuple[object, str], set[str]] = defaultdict(set)
        for asset in theirs:
            cached = types[asset.path]
            for kind, name in names(asset, cached.script or cached.class_id):
                self.their_buckets[row(kind, name, asset.path).bucket].add(asset.path)
        # Unity makes one sprite, of fileID 21300000 and the file's name (47,486 references of public projects).
        self.single: set[str] = set()
        self.unmade: set[tuple[object, str]] = set()
        for asset in theirs:
            mine = self.ours.get(asset.guid)
            if mine is not None and rows_in(mine) != rows_in(asset) and is_single(project / f"{asset.path}.meta"):
                self.single.add(asset.path)
                self.unmade |= {row(item.class_id, item.name, asset.path).bucket for item in asset.sub_assets}

    def run(self) -> None:
        for guid, theirs in self.theirs.items():
            ours = self.ours.get(guid)
            if ours is None and re.fullmatch("Packages/[^/]+", theirs.path):
                self.differences["files of Packages itself, which are no assets"] += 1
                continue
            if ours is None or ours.path != theirs.path:
                self.fail("entry", theirs, ours)
                continue
            self.types_of(ours, theirs)
            self.rows_of(ours, theirs)
            self.name(kind_of(ours), ours.name, theirs.name, ours.path)
            own = defaultdict(list)
            for item in ours.sub_assets:
                own[item.file_id, item.class_id].append(item.name)
            for item in theirs.sub_assets:
                mine = own[item.file_id, item.class_id]
                if len(mine) == 1:
                    self.name(item.class_id, mine[0], item.name, ours.path)
        self.differences["entries that the crate has not"] += len(self.ours.keys() - self.theirs.keys())

    def fail(self, what: str, *facts: object) -> None:
        self.unexplained.append(f"{what}: {facts}")

    def types_of(self, ours: Asset, theirs: Asset) -> None:
        right = self.types[theirs.path]
        if (ours.class_id, ours.script) != right:
            main = main_object(self.project, ours.path)
            own = {".prefab": 1001, ".unity": 1032}.get(os.path.splitext(ours.path)[1].lower())
            if own and ours.class_id == own and not ours.script:
                self.differences["types of prefabs and scenes that begin with a script"] += 1
            elif right == (TEXTURE, "") and ours.class_id == self.texture_class(ours.path):
                self.differences["types of textures that are not flat"] += 1
            elif ours.class_id == DEFAULT_ASSET and self.is_left_alone(ours.path):
                self.differences["types of files that Unity does not import"] += 1
            elif main and kind_of(ours) == main.kind:
                self.differences["types of main objects that are not the first document"] += 1
            else:
                self.fail("type", ours.path, (ours.class_id, ours.script), right)
        if (theirs.class_id, theirs.script) != right:
            self.differences["types that the crate's database mixes up"] += 1

    def texture_class(self, path: str) -> int:
        meta = (self.project / f"{path}.meta").read_bytes()
        shape = re.search(rb"\n  textureShape: (\d)", meta)
        is_cube = not shape and re.search(rb"\n  generateCubemap: [1-6]", meta)
        return {b"2": 89, b"4": 187, b"8": 117}.get(b"2" if is_cube else shape[1] if shape else b"", TEXTURE)

    def is_left_alone(self, path: str) -> bool:
        meta = (self.project / f"{path}.meta").read_bytes()
        folders = path.split("/")[:-1]
        named = (["Assets", "StreamingAssets"], ["Assets", "WebGLTemplates"])
        return b"\nDefaultImporter:" in meta and (
            folders[:2] in named or path.endswith(".md") or any(folder.endswith(".plugin") for folder in folders)
        )

    def rows_of(self, ours: Asset, theirs: Asset) -> None:
        mine = Counter((item.file_id, item.class_id) for item in ours.sub_assets)
        its = Counter((item.file_id, item.class_id) for item in theirs.sub_assets)
        only_mine, only_its = mine - its, its - mine
        if not only_mine and not only_its:
            return
        if not only_mine and all(class_id == VISUAL_EFFECT for _, class_id in only_its):
            self.differences["rows of a component with a nested m_Name"] += only_its.total()
            return
        meta = (self.project / f"{ours.path}.meta").read_bytes().replace(b"\r\n", b"\n")
        main = None if ours.path.endswith((".png", ".psd")) else main_object(self.project, ours.path)
        if main and set(only_its) <= {main.row} and set(only_mine) <= {main.first}:
            self.differences["rows of main objects that are not the first document"] += 1
            return
        if ours.path.endswith(".prefab") and not only_its and only_mine.total() == 1:
            self.differences["first documents of prefabs that are sub-assets"] += 1
            return
        trailing = re.search(rb"\n    internalID: (-?\d+)\n", meta)
        sheet = sprite_rows(read_meta(meta)[1].sprites)
        if ours.path in self.single and only_mine <= WHOLE:
            self.differences["sheets of textures that are one sprite"] += 1
        elif (
            trailing
            and only_its == Counter({(int(trailing[1]), SPRITE): 1})
            and only_mine == Counter({sheet[-1][:2]: 1})
        ):
            self.differences["last sprites with the sheet's own internalID"] += 1
        elif re.search(rb"\n      - -? ?\{x: ", meta) and only_mine <= Counter(item[:2] for item in sheet):
            # A line of an outline begins like the next sprite.
            self.differences["sheets that lose sprites with outlines"] += 1
        else:
            self.fail("rows", ours.path, sorted(only_mine), sorted(only_its))

    def name(self, kind: object, ours: str, theirs: str, path: str) -> None:
        if ours == theirs:
            return
        mine, its = row(kind, ours, path), row(kind, theirs, path)
        decoded = scalar_at(its.bucket[1].encode(), 0, 0)
        if mine.bucket != its.bucket:
            if mine.bucket == (its.bucket[0], decoded):
                self.differences["names that are quoted, escaped or wrapped"] += 1
            elif path in self.single:
                self.differences["names of textures that are one sprite"] += 1
            else:
                self.fail("name", path, ours, theirs)
            return
        others = self.buckets[mine.bucket] - {path}
        new = others - self.their_buckets[mine.bucket]
        retyped = self.retyped & (self.buckets[mine.bucket] | self.their_buckets[mine.bucket])
        if not mine.run and retyped:
            self.differences["claimants whose main object is not the first document"] += 1
        elif not mine.run and mine.bucket in self.unmade:
            self.differences["claimants that are in sheets of textures that are one sprite"] += 1
        elif not mine.run:
            self.fail("name of a bucket of one", path, ours, theirs, others)
        elif (
            mine.run.endswith(os.path.basename(path))
            and mine.run in (path, *runs(path))
            and any(
                os.path.dirname(other) == os.path.dirname(path) or path.endswith(other) or other.endswith(path)
                for other in others
            )
        ):
            self.differences["claimants that folders cannot tell apart"] += 1
        elif its.run and any(f"/{os.path.dirname(other)}".endswith(f"/{its.run}") for other in others):
            self.differences["runs that another claimant has too"] += 1
        elif new:
            self.differences["claimants that the crate has not"] += 1
        elif retyped:
            self.differences["claimants whose main object is not the first document"] += 1
        else:
            self.fail("name", path, ours, theirs, sorted(others))


def compared(project: Path, out: Path) -> Comparison | None:
    """Bake a project with both; None where the crate refuses."""
    if crate.bake(project, out / "theirs"):
        return None
    result = assetdb.bake(project, out / "ours")
    ours = list(read_entries(Path(result.database).read_bytes()))
    theirs = list(read_entries((out / "theirs" / "asset-db.bin").read_bytes()))
    found = Comparison(project, ours, theirs, crate.cached_types(out / "theirs" / "asset-db.cache.bin"))
    found.run()
    return found


@pytest.mark.long
@pytest.mark.corpus(*crate.CORPORA)
@pytest.mark.parametrize("name", crate.PROJECTS)
def test_every_difference_is_explained(corpus: Path, tmp_path: Path, name: str) -> None:
    golden = json.loads(GOLDEN.read_text("utf-8"))
    found = compared(corpus / "unity" / name, tmp_path)
    if found is None:  # the crate stops where directories cannot tell two names apart
        assert golden[name] is None
        assetdb.bake(corpus / "unity" / name, tmp_path / "ours")
        return
    assert found.unexplained[:20] == []
    assert {key: count for key, count in sorted(found.differences.items()) if count} == golden[name]
