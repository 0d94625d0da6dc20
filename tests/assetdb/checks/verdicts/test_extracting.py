from __future__ import annotations

import random
from array import array
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.verdicts.extracting import (
    CANDIDATE,
    OVERRIDE,
    Extractor,
    key_of,
    parts_of,
    property_of,
    typed_key,
)
from assetdb.query.graph import verdicts
from assetdb.unity.binary.opening import as_text
from assetdb.unity.engine.expected_classes import typed_references
from assetdb.unity.referring.texts import without_texts
from assetdb.unity.yaml.objects import TextObjects
from tests.assetdb.text_files import text_files
from tests.assetdb.unity_project import HEAD, game_object, guid, instance, stripped

if TYPE_CHECKING:
    from pathlib import Path

PIECES = (
    *(
        b"- target: ",
        b"{fileID: 5, guid: ",
        b"{fileID: 0, guid: ",
        b"{fileID:  -7,\n    guid: ",
        b"guid: ",
        b", type: 3}\n",
    ),
    *(
        guid(1).encode(),
        guid(2).upper().encode(),
        b"0" * 32,
        b"GUID:",
        b"m_AssetGUID: ",
        b"- ",
        b"\n",
        b'"guid":"',
        b" ",
    ),
    *(
        b"\n  m_Script: ",
        b"\n      m_Mesh: ",
        b"\n  m_Materials:\n  - ",
        b"x m_Sprite: ",
        b"m_Avatar: ",
        b"{fileID: 9, guid: ",
    ),
    *(b'{"fileID":5,"guid":"', b'"', b"\r\n", b"value: ", b"--- !u!1 &5\n", b"--- !u!4 &6 stripped\n"),
)


def plainly(data: bytes, extension: str) -> Counter[bytes]:
    rows = verdicts.references(data, extension)
    return Counter(key_of(own, number, override=stale, candidate=maybe) for own, number, stale, maybe, _ in rows)


def is_plain(key: bytes) -> bool:
    """Whether a key is a reference alone, and neither one that names its property nor a fault of the file."""
    return key.rpartition(b" ")[2] in (b"", OVERRIDE, CANDIDATE)


def check(extractor: Extractor, data: bytes, extension: str) -> None:
    found = extractor.extract(data, extension)
    assert Counter({key: count for key, count in found.references.items() if is_plain(key)}) == plainly(data, extension)
    if verdicts.form_of(data, extension) == verdicts.YAML:
        typed = Counter({key: count for key, count in found.references.items() if property_of(key)})
        assert typed == Counter(map(typed_key, typed_references(without_texts(data))))
    if found.anchors:
        objects = TextObjects(data).objects.values()
        assert array("q", found.anchors).tolist() == [item.file_id for item in objects if not item.stripped]


def test_random_text_has_the_references_that_are_listed_of_it() -> None:
    chosen = random.Random(1)
    extractor = Extractor()
    for _ in range(3000):
        data = b"%YAML 1.1\n" + b"".join(chosen.choices(PIECES, k=chosen.randrange(30)))
        check(extractor, data, chosen.choice(("prefab", "asset", "vfx", "asmdef", "shadergraph", "uxml", "wlt")))


@pytest.mark.corpus("unity/UnityPlayground", "unity/Mirror")
@pytest.mark.parametrize("name", ["UnityPlayground", "Mirror"])
def test_real_files_have_the_references_that_are_listed_of_them(corpus: Path, name: str) -> None:
    extractor = Extractor()
    for path in text_files(str(corpus / "unity" / name)):
        with open(path, "rb") as file:
            check(extractor, as_text(file.read()), path.rpartition("/")[2].rpartition(".")[2].lower())


def test_what_a_file_nests() -> None:
    text = HEAD + game_object(100, "Level") + instance(7000, 1, 101) + stripped(4, 7001, "Transform", 2, 201, 7000)
    found = Extractor().extract(text.encode(), "prefab")
    assert found.nested == tuple(sorted((guid(1).encode(), guid(2).encode())))
    assert array("q", found.anchors).tolist() == [100, 101, 7000]


@pytest.mark.parametrize(
    "key", [(guid(1), 5, True, False), (guid(1), None, False, True), (guid(1), -(10**19), False, False)]
)
def test_a_key_has_its_parts(key: tuple[str, int | None, bool, bool]) -> None:
    assert parts_of(key_of(key[0].encode(), key[1], override=key[2], candidate=key[3])) == key
