"""Damaged and crafted input: an answer or our error, in time and memory in proportion to the file."""

from __future__ import annotations

import random
import time
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from assetdb.packages.named_assemblies import named_assemblies
from assetdb.store.entry import Asset, SubAsset
from assetdb.unity.metas.meta import MetaReader, read_meta, sub_asset_names
from assetdb.unity.settings.addressables import Profile, evaluate
from assetdb.unity.settings.addressables import Settings as AddressablesSettings
from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.objects import TextObjects
from assetdb.unity.yaml.scalars import scalar_at
from assetdb.unity.yaml.text_asset import read_text_asset
from assetdb.workspace.contested import contested_names
from scripts.fuzz import bake as fuzz
from scripts.fuzz.running import damage, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAD = b"fileFormatVersion: 2\nguid: 0123456789abcdef0123456789abcdef\n"
DOCUMENT = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &1\nX:\n"


@pytest.mark.long
def test_damaged_files() -> None:
    counts = run(fuzz.cases(20_000, seed=5), fuzz.attempt, fuzz.kept, every=20_000)
    assert counts.total() == 20_000


@pytest.mark.corpus("unity/Mirror", "unity/UnityPlayground")
@pytest.mark.long
def test_damaged_real_files(corpus: Path) -> None:
    files = str(corpus / "unity" / "Mirror" / "Assets")
    counts = run(fuzz.cases(20_000, seed=6, files=files), fuzz.attempt, fuzz.kept, every=20_000)
    assert counts.total() == 20_000


def read_tables(data: bytes) -> None:
    sub_asset_names(read_meta(data)[1])


def read_asset(data: bytes) -> None:
    read_text_asset(data, rows=True)
    documents(data)


def read_overrides(data: bytes) -> None:
    for item in TextObjects(data).objects.values():
        item.overridden_names()


def read_assemblies(data: bytes) -> None:
    assert not list(named_assemblies([data], b"0" * 32))


def read_contested(data: bytes) -> None:
    rows = (SubAsset(1, 213, data.decode()),)
    assert contested_names([Asset("0" * 32, 28, "", "A", rows, "Assets/A.png")]) == ()


def read_profiles(data: bytes) -> None:
    profiles = tuple(Profile(str(number), "", str(number + 1), {}) for number in range(len(data) // 100))
    assert not evaluate("v", AddressablesSettings((), (), "", (), profiles, {"v": "V"}, ""), profiles[0])


CRAFTED: dict[str, tuple[Callable[[bytes], None], Callable[[int], bytes]]] = {
    "spaces": (read_tables, lambda n: HEAD + b"TextureImporter:\n" + b" " * n),
    "newlines": (read_tables, lambda n: HEAD + b"TextureImporter:\n" + b"\n" * n),
    "sprites": (
        read_tables,
        lambda n: HEAD + b"TextureImporter:\n  spriteSheet:\n    sprites:\n" + b"    - name: a\n" * (n // 14),
    ),
    "first": (
        read_tables,
        lambda n: HEAD + b"TextureImporter:\n  internalIDToNameTable:\n" + b"  - first:\n" * (n // 11),
    ),
    "second": (
        read_tables,
        lambda n: HEAD + b"X:\n  internalIDToNameTable:\n" + b"  - first:\n      1: 1\n    second: a\n" * (n // 40),
    ),
    "blank rows": (read_tables, lambda n: HEAD + b"X:\n  fileIDToRecycleName:\n" + b"    1: a\n\n\n\n" * (n // 12)),
    "labels": (read_tables, lambda n: HEAD + b"labels:\n" + b"- a\n" * (n // 4) + b"DefaultImporter:\n"),
    "keys": (read_tables, lambda n: HEAD + b"a:b\n" * (n // 4)),
    "guids": (read_tables, lambda n: (b"guid: " + b"a" * 32 + b"\n") * (n // 39)),
    "documents": (read_asset, lambda n: DOCUMENT + b"--- !u!74 &1\n  m_Name: a\n" * (n // 26)),
    "headers": (read_asset, lambda n: DOCUMENT + b"\n--- !u!74 &1" * (n // 13)),
    "name of blanks": (read_asset, lambda n: DOCUMENT + b"--- !u!74 &2\nX:\n  m_Name: a" + b"\n" * n + b"    b\n"),
    "name of quotes": (read_asset, lambda n: DOCUMENT + b"--- !u!74 &2\nX:\n  m_Name: " + b"'" * n),
    "open quote": (read_asset, lambda n: DOCUMENT + b'--- !u!74 &2\nX:\n  m_Name: "' + b"\\" * n),
    "long line": (read_asset, lambda n: DOCUMENT + b"--- !u!74 &2\nX:\n  m_Name: " + b"a b" * (n // 3)),
    "wrapped": (read_asset, lambda n: DOCUMENT + b"--- !u!74 &2\nX:\n  m_Name: a\n" + b"    b\n" * (n // 6)),
    "script": (read_asset, lambda n: DOCUMENT + b"\n  m_Script:" + b" " * n),
    "overrides": (read_overrides, lambda n: b"--- !u!1001 &1\nX:\n" + b"      propertyPath: m_Name\n" * (n // 27)),
    "carets": (read_contested, lambda n: b"^" * (n // 10)),
    "profiles": (read_profiles, lambda n: b" " * n),
    "calls": (
        read_assemblies,
        lambda n: b"".join(
            b"--- !u!114 &%d\nX:\n  - m_Target: {fileID: %d}\n    m_TargetAssemblyTypeName: A, B\n" % (place, place)
            for place in range(n // 88)
        ),
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", CRAFTED)
def test_time_and_memory_grow_with_the_file(name: str) -> None:
    read, make = CRAFTED[name]
    small, large = make(100_000), make(1_600_000)
    times = []
    for data in (small, large):
        started = time.process_time()
        read(data)
        times.append(time.process_time() - started)
    # 16 times the file: 16 times the time where it is linear, 256 times where it is quadratic.
    assert times[1] < max(times[0], 0.005) * 100
    tracemalloc.start()
    try:
        read(large)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100 * len(large)  # a label of one letter is an object of 57 bytes


@pytest.mark.long
def test_the_remembering_reader_agrees_with_the_plain_one() -> None:
    chooser = random.Random(3)
    reader = MetaReader()
    for _ in range(20_000):
        data = damage(chooser.choice(fuzz.METAS), chooser, fuzz.METAS, fuzz.WORDS)
        assert reader.read(data) == read_meta(data)


def test_scalars_of_any_shape() -> None:
    for text in (
        b"",
        b" ",
        b"'",
        b'"',
        b"\n",
        b"'a",
        b'"\\',
        b"a #",
        b"#",
        b"\xff\xfe",
        b'"\\ud800"',
        b'"\\U00110000"',
        b'"\\q"',
    ):
        for indent in (0, 2):
            scalar_at(text, 0, indent).encode()
            scalar_at(text + b"\n   b", 0, indent).encode()
