"""Damage metas, text assets, caches, indices and databases at random: only our errors may come back.

    python -m scripts.fuzz.bake --count 1000000 [--seed N] [--files DIR]

``--files`` adds metas and text assets below a folder of real projects to the synthetic ones.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from typing import Final

from assetdb.errors import DatabaseError
from assetdb.scan.asset import asset_row
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known import cache
from assetdb.store import schema
from assetdb.store.indexes import writer
from assetdb.store.indexes.reader import Index
from assetdb.unity.kinds import plan_of
from assetdb.unity.metas import meta
from assetdb.unity.yaml import documents, text_asset
from assetdb.unity.yaml.scalars import scalar_at
from scripts.arguments import Given, script
from scripts.fuzz.running import Bounds, damage, run

Case = tuple[Callable[[bytes], None], bytes]

SLOW: Final = 0.25  # seconds of processor time that no file of a few kilobytes may take

WORDS: Final = (
    b"\n",
    b"  ",
    b" ",
    b"\t",
    b": ",
    b"- ",
    b"-",
    b"#",
    b"{",
    b"'",
    b'"',
    b"\\",
    b"\r\n",
    b"\0",
    b"\xff",
    b"--- !u!1 &1\n",
)
_SPRITE: Final = b"""    - serializedVersion: 2
      name: walk_%d
      rect:
        x: 0
      internalID: -123456789012345678
"""
METAS: Final = (
    b"fileFormatVersion: 2\nguid: 0123456789abcdef0123456789abcdef\n",
    b"\xef\xbb\xbffileFormatVersion: 2\r\nguid: 0123456789ABCDEF0123456789ABCDEF\r\nMonoImporter:\r\n  userData: \r\n",
    b"fileFormatVersion: 2\n<<<<<<< HEAD\nguid: "
    + b"a" * 32
    + b"\n=======\nguid: "
    + b"b" * 32
    + b"\n>>>>>>> x\nDefaultImporter:\n",
    b"fileFormatVersion: 2\nguid: "
    + b"1" * 32
    + b"\nlabels:\n- One\n- 'Two '\nTextureImporter:\n  internalIDToNameTable:\n"
    b"  - first:\n      213: 21300000\n    second: walk_0\n  spriteMode: 2\n  textureType: 8\n  spriteSheet:\n    sprites:\n"
    + b"".join(_SPRITE % number for number in range(4))
    + b"    outline: []\n    internalID: 0\n    nameFileIdTable:\n      walk_0: 5\n      'a: b': -7\n  spritePackingTag: \n"
    b'  userData: "{\\"a\\": \\u00e9}"\n  assetBundleName: one\n  assetBundleVariant: hd\n',
    b"fileFormatVersion: 2\nguid: "
    + b"2" * 32
    + b"\ntimeCreated: 1\nlicenseType: Pro\nModelImporter:\n  fileIDToRecycleName:\n"
    b"    100000: //RootNode\n    4300000: 'Mesh #1'\n  materials:\n    importMaterials: 1\n  fileIdsGeneration: 2\n",
)
ASSETS: Final = (
    b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: "
    + b"c" * 32
    + b",\n    type: 3}\n  m_Name: 'It''s'\n--- !u!114 &-5\nMonoBehaviour:\n  m_Name: \"a\\u2122b\n    c\"\n--- !u!74 &9 stripped\n",
    b"%YAML 1.1\r\n%TAG !u! tag:unity3d.com,2011:\r\n--- !u!1001 &100100000\r\nPrefab:\r\n  m_Name: wrapped\r\n    name\r\n",
    b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n",
    bytes(range(48)) * 4,
)


def read_meta(data: bytes) -> None:
    """Take everything that a meta can be asked for."""
    guid, facts, _ = meta.MetaReader().read(data)
    for row in meta.sub_asset_names(facts).values():
        row[2].decode()
    if guid:
        bytes.fromhex(guid.decode())
        asset_row(b"name", b"png", b"Assets/name.png", guid, facts, None, plan_of(b"png", facts.importer))


def read_asset(data: bytes) -> None:
    """Take everything that a text asset can be asked for."""
    facts = meta.NO_IMPORTER
    for extension in (b"asset", b"prefab", b"unity"):
        asset_row(b"name", extension, b"Assets/name.asset", b"0" * 32, facts, data, plan_of(extension, facts.importer))
    for document in documents.documents(data):
        text_asset.name_of_document(data, document.start, document.end).decode()
    scalar_at(data, min(len(data), 7), 2)


def read_cache(data: bytes) -> None:
    """Open a cache and fill in its facts."""
    known = cache.decode(data)
    for directory in known.directories.values():
        try:
            known.facts.complete(directory)
        except cache.DamagedCacheError:
            return


def read_index(data: bytes) -> None:
    """Open an index and look something up."""
    try:
        found = Index(memoryview(data))
        found.row(0, 1)
        found.folder_row(1 << 120)
        list(found.folders())
    except DatabaseError:
        return


def read_database(data: bytes) -> None:
    """Decode a whole database."""
    try:
        list(schema.read_entries(data))
        writer.from_database(data)
    except DatabaseError:
        return


def subjects(files: str | None) -> list[tuple[Callable[[bytes], None], list[bytes]]]:
    """Return what to damage, with its reader."""
    metas, assets = list(METAS), list(ASSETS)
    for folder, _, names in os.walk(files) if files else ():
        for name in names[:3]:
            path = os.path.join(folder, name)
            if len(metas) + len(assets) < 2000 and os.path.isfile(path) and os.path.getsize(path) < 20_000:
                with open(path, "rb") as file:
                    (metas if name.endswith(".meta") else assets).append(file.read())
    row, _ = asset_row(
        b"name", b"asset", b"Assets/name.asset", b"0" * 32, meta.NO_IMPORTER, ASSETS[0], plan_of(b"asset", "")
    )
    guids = [bytes(16), bytes([255] * 16)]
    database, _ = schema.encode(guids, [b"28", b"c" * 32], [row[2], row[2]])
    known = cache.encode(
        b"settings", (1, 2, 3, 4), 1, b"", [DirectoryFacts(b"Assets", 1, b"a/b", b"x/x.meta", bytes(32), pair_count=1)]
    )
    lookup = writer.encode(bytes(16), 9, guids, [0, 9], [(bytes(16), b"Assets/x")])
    return [
        (read_meta, metas),
        (read_asset, assets),
        (read_cache, [b"".join(known)]),
        (read_index, [b"".join(lookup)]),
        (read_database, [database]),
    ]


def cases(count: int, seed: int, files: str | None = None) -> Iterator[Case]:
    """Yield readers with damaged files, the same ones for the same seed."""
    chooser = random.Random(seed)
    readers = subjects(files)
    for number in range(count):
        reader, originals = readers[number % 5 if number % 4 else number % 2]
        yield reader, damage(chooser.choice(originals), chooser, originals, WORDS)


def attempt(case: Case) -> str:
    """Read a damaged file; any exception is a bug."""
    reader, data = case
    reader(data)
    return "read or refused"


def kept(case: Case) -> str:
    """Return a damaged file as text."""
    return f"{case[0].__name__}: {case[1]!r}"


@script(__doc__, count=1_000_000, seed=1, files=str)
def main(given: Given) -> None:
    """Run from the command line."""
    run(cases(given.count, given.seed, given.files), attempt, kept, every=100_000, bounds=Bounds(SLOW))
