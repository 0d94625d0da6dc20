"""Real files, read a second time by a YAML library: slow, independent, and right about YAML."""

import hashlib
import re
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import yaml

from assetdb.unity.metas.meta import (
    internal_id_rows,
    name_file_id_rows,
    read_meta,
    recycle_name_rows,
    sprite_rows,
)
from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.text_asset import name_of_document, read_text_asset
from scripts.fixture import fixture_files
from tests.assetdb.resolve import naming_oracle
from tests.libyaml import Reader, UnityReader

PROJECTS = (
    *("BoatAttack", "FPSSample", "Mirror", "UnityPlayground", "unitystation", "unity-explorer", "daggerfall-unity"),
    *("PhysicsExamples2D", "com.unity.2d.animation"),
)
METAS = 3600  # files in the sample
ASSETS = 3200
LARGEST = 150_000  # bytes of an asset: a YAML library reads 1 MB in two seconds
LARGEST_META = 40_000
TABLES = (b"spriteSheet:", b"internalIDToNameTable:\n", b"fileIDToRecycleName:\n", b"nameFileIdTable:\n")


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc] # the C one where it is built
    """Reads scalars as the text they are, but for integers."""


Loader.yaml_implicit_resolvers = {}  # those of YAML 1.1 make 100 of 10_0
Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"-?(?:0|[1-9][0-9]*)$"), list("-0123456789"))
load = UnityReader(Loader)
HEADER = re.compile(r"^--- !u!(\d+) &(-?\d+)( stripped)?[ \t]*$", re.MULTILINE)


def sample(corpus: Path, paths: Iterable[Path], count: int) -> list[Path]:
    """Return the files whose paths have the smallest hashes: the same on every machine, spread over all folders."""

    def place(path: Path) -> bytes:
        return hashlib.sha1(path.relative_to(corpus).as_posix().encode(), usedforsecurity=False).digest()

    return sorted(paths, key=place)[:count]


def text_of(data: bytes) -> str:
    return data.decode("utf-8-sig").replace("\r\n", "\n")


def own_name(value: object) -> str:
    return "" if value is None else str(value)


ODD = (
    *(
        "",
        "a",
        "a: 1",
        "- 1\n- [x, 'y', \"z\", {a: ~}]",
        "a: {b: [], c: {}}",
        "a: 0x1F\nb: 1_0\nc: 1:30\nd: yes\ne: 2020-01-02",
    ),
    *(
        "a: &x 1\nb: *x",
        "a: !!str 1",
        "a: {<<: {b: 1}, c: 2}",
        "=: 1",
        "a: =",
        "a: <<",
        "{[1]: 2}",
        "{{a: 1}: 2}",
        "? [a]\n: b",
    ),
    *(
        "a: 1\n---\nb: 2",
        "a: 1\n...\n",
        "a: [",
        "a: 'b",
        "a: |\n  x\n  y\n",
        "a: >-\n  x\n\n  y\n",
        "a: 1\na: 2",
        "# only",
    ),
    *(
        "a: 2020-99-99",
        "%YAML 1.1\n---\na: 1",
        "\0",
        "a: \ufeffb",
        "\ufeffa: b",
        "a: .inf\nb: 1e3\nc: 1.0e+3\nd: null\n~: 1",
    ),
)


def _outcome(read: Callable[[str], Any], text: str) -> str:
    try:
        return repr(read(text))
    except (yaml.YAMLError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("loader", [Loader, naming_oracle.Loader])
def test_the_quick_reader_of_these_tests_says_what_the_library_says(loader: type[Any]) -> None:
    read = Reader(loader)
    files = [path.read_text("utf-8", "replace") for path in fixture_files()]
    documents = [part for text in files for part in HEADER.split(text) if part]
    for text in (*ODD, *files, *documents):
        assert _outcome(read, text) == _outcome(lambda text: yaml.load(text, loader), text), text  # noqa: S506 - safe


@pytest.mark.long
@pytest.mark.corpus(*(f"unity/{name}" for name in PROJECTS))
def test_metas_agree_with_a_yaml_library(corpus: Path) -> None:
    paths = [path for name in PROJECTS for path in (corpus / "unity" / name).rglob("*.meta") if path.is_file()]
    small = [path for path in sample(corpus, paths, len(paths)) if path.stat().st_size < LARGEST_META]
    by_table: list[list[Path]] = [[] for _ in TABLES]
    for path in small:
        data = path.read_bytes()
        for number, table in enumerate(TABLES):
            if table in data:
                by_table[number].append(path)
    chosen = list(dict.fromkeys(path for some in by_table for path in some[: METAS // 10]))
    rest = dict.fromkeys(small)
    chosen = list(islice(dict.fromkeys([*chosen, *rest]), METAS))
    assert len(chosen) == METAS
    rows: dict[str, int] = {"sprites": 0, "internal ids": 0, "recycle names": 0, "name file ids": 0}
    refused = 0
    for path in chosen:
        data = path.read_bytes()
        guid, facts, others = read_meta(data)
        if facts.conflict or others:
            refused += 1
            continue
        # The key-less rows of plug-in metas are no YAML: the rewrite gives them a key.
        meta: dict[str, Any] = load(text_of(data))
        assert meta["guid"].lower() if isinstance(meta["guid"], str) else f"{meta['guid']:032d}" == guid.decode(), path
        name = next((key for key in meta if key.endswith("Importer")), "")
        assert facts.importer == name, path
        body = meta[name] if name else {}
        body = body if isinstance(body, dict) else {}
        assert facts.folder == (meta.get("folderAsset") == "yes"), path
        assert list(facts.labels) == [str(label) for label in meta.get("labels") or []], path
        assert facts.user_data == own_name(body.get("userData")), path
        assert facts.asset_bundle_name == own_name(body.get("assetBundleName")), path
        if name == "TextureImporter":
            assert facts.texture_type == body.get("textureType", -1), path
            assert facts.sprite_mode == body.get("spriteMode", -1), path
        sheet = body.get("spriteSheet") or {}
        sprites = [
            (row["internalID"], 213, own_name(row["name"]))
            for row in sheet.get("sprites") or []
            if "internalID" in row and own_name(row.get("name"))
        ]
        internal = [
            (file_id, class_id, own_name(row["second"]))
            for row in body.get("internalIDToNameTable") or []
            for class_id, file_id in row["first"].items()
        ]
        recycled = [(number, own_name(value)) for number, value in (body.get("fileIDToRecycleName") or {}).items()]
        named = [(number, 213, own_name(value)) for value, number in (sheet.get("nameFileIdTable") or {}).items()]
        assert [(a, b, c.decode()) for a, b, c in sprite_rows(facts.sprites)] == sprites, path
        assert [(a, b, c.decode()) for a, b, c in internal_id_rows(facts.internal_ids)] == internal, path
        assert [(a, c.decode()) for a, _, c in recycle_name_rows(facts.recycle_names)] == recycled, path
        assert [(a, b, c.decode()) for a, b, c in name_file_id_rows(facts.name_file_ids)] == named, path
        for key, count in zip(rows, (len(sprites), len(internal), len(recycled), len(named)), strict=True):
            rows[key] += count
    assert refused < METAS // 100
    assert all(count > 100 for count in rows.values()), rows


@pytest.mark.long
@pytest.mark.corpus(*(f"unity/{name}" for name in PROJECTS))
def test_text_assets_agree_with_a_yaml_library(corpus: Path) -> None:
    patterns = (
        "*.asset",
        "*.prefab",
        "*.controller",
        "*.anim",
        "*.mat",
        "*.unity",
        "*.mixer",
        "*.playable",
        "*.spriteatlas",
    )
    found = []
    for pattern in patterns:
        paths = [path for name in PROJECTS for path in (corpus / "unity" / name).rglob(pattern) if path.is_file()]
        fitting = (path for path in sample(corpus, paths, ASSETS) if 0 < path.stat().st_size < LARGEST)
        found += list(islice(fitting, ASSETS // 5))
    assert len(found) + METAS > 5000
    read = anchors = names = 0
    for path in found:
        data = path.read_bytes()
        kind, class_id, script, rows = read_text_asset(data, rows=True)
        if kind != "yaml":
            assert not HEADER.search(data.decode("utf-8", "replace")), path
            continue
        read += 1
        text = text_of(data)
        data = text.encode()
        headers = list(HEADER.finditer(text))
        facts = documents(data)
        expected = [(int(h[1]), int(h[2]), h[3] is not None) for h in headers]
        assert [(item.class_id, item.file_id, item.stripped) for item in facts] == expected, path
        assert class_id == expected[0][0], path
        anchors += len(expected)
        own_rows = []
        ends = [*(header.start() for header in headers[1:]), len(text)]
        for number, (header, end, fact) in enumerate(zip(headers, ends, facts, strict=True)):
            # A document at a time: the %TAG line holds for the first only.
            (body,) = load(text[header.end() : end]).values()
            body = body if isinstance(body, dict) else {}
            name = own_name(body.get("m_Name"))
            assert name_of_document(data, fact.start, fact.end).decode() == name, (path, fact)
            names += bool(name)
            if number == 0:
                reference = body.get("m_Script")
                guid = reference.get("guid", "") if isinstance(reference, dict) and fact.class_id == 114 else ""
                assert script.decode() == str(guid).lower(), path
            elif name and fact.class_id not in (1, 4, 224):
                own_rows.append((fact.file_id, fact.class_id, name.encode()))
        assert list(rows) == own_rows, path
    assert read > len(found) * 9 // 10
    assert anchors > 10_000
    assert names > 4_000
