"""The main object of a text asset, which is looked for once in each file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.packages.location import Location
from assetdb.resolve import resolver
from assetdb.resolve.main_documents import main_documents
from assetdb.unity.yaml.objects import TextObjects

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"


def document(class_id: int, file_id: int, name: str) -> str:
    kind = {21: "Material", 28: "Texture2D", 114: "MonoBehaviour", 206: "BlendTree", 91: "AnimatorController"}[class_id]
    return f"--- !u!{class_id} &{file_id}\n{kind}:\n  m_Name: {name}\n"


@pytest.mark.parametrize(
    ("name", "documents", "declared", "expected"),
    [
        ("A.mat", [(114, 5), (21, 2100000)], 0, {2100000}),
        ("A.controller", [(206, 20600000), (91, 9100000)], 0, {9100000}),
        ("A.controller", [(206, 77), (91, 9100000)], 0, {9100000}),
        ("A.anything", [(114, 9), (114, 8)], 0, {9}),
        ("A.anything", [], 0, set()),
        ("A.asset", [(21, 2100000), (114, 11400000)], 11400000, {11400000}),
        ("A.asset", [(21, 2100000), (114, 11400000)], 0, {11400000}),
        ("A.anything", [(21, 2100000), (114, 11400000)], 2100000, {2100000}),
        ("A.anything", [(21, 2100000), (114, 11400000)], 0, {2100000, 11400000}),
    ],
)
def test_it_has_the_id_of_its_class_or_is_declared_or_the_first(
    tmp_path: Path, name: str, documents: list[tuple[int, int]], declared: int, expected: set[int]
) -> None:
    file = tmp_path / name
    text = HEAD + "".join(document(class_id, file_id, "x") for class_id, file_id in documents)
    meta = f"fileFormatVersion: 2\nNativeFormatImporter:\n  mainObjectFileID: {declared}\n" if declared else ""
    file.with_name(f"{name}.meta").write_text(meta)
    location = Location(f"Assets/{name}", str(file))
    assert main_documents(TextObjects(text.encode()), location) == expected


def test_names_of_many_objects_look_for_the_main_object_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """300,000 objects of one file took hours, each looking at all others."""
    looked = []

    def counted(content: TextObjects, location: Location) -> frozenset[int]:
        looked.append(location.path)
        return main_documents(content, location)

    monkeypatch.setattr("assetdb.resolve.main_documents.main_documents", counted)
    named = resolver.Resolver("", None)
    text = HEAD + "".join(document(114, file_id, f"N {file_id}") for file_id in range(1, 1001))
    named.add_content("0" * 31 + "1", TextObjects(text.encode()), "A.anything")
    names = [named.name("0" * 31 + "1", file_id).name for file_id in range(1, 1001)]
    assert names[:2] == ["A.anything", "A.anything / N 2 (MonoBehaviour)"]
    assert looked == ["A.anything"]
