"""Objects by the words that a user may have for them."""

from __future__ import annotations

import pytest

from assetdb_formats.casset.encoding.read import read_bundle
from assetdb_formats.casset.errors import NotInBundleError
from assetdb_formats.casset.identity import uuid_text
from assetdb_formats.casset.queries.objects import (
    dependency_text,
    find_object,
    lookup,
    object_names,
    of_classes,
    place,
    search,
)
from tests.assetdb_formats.casset import builder
from tests.assetdb_formats.casset.builder import OWN, object3, uuid

TYPES = [
    builder.BUNDLE_TYPE,
    builder.schema_entry(0, "/Code/T.A::Mesh", []),
    builder.schema_entry(0, "/Code/T.B::Mesh", []),
    builder.schema_entry(0, "/Code/T.A::SubMesh", []),
]
ROWS = ((1, 1, "M", "M"), (2, 2, "M.x", "x"), (3, 3, "N", "N"), (4, 1, "N.x", "M.x"))
BUNDLE = read_bundle(
    builder.bundle3(
        TYPES, [builder.bundle_object(), *(object3(number, kind, path, name, b"") for number, kind, path, name in ROWS)]
    )
)


@pytest.mark.parametrize(
    ("word", "by", "path"),
    [
        ("M.x", "path", "M.x"),  # the name of another, too
        ("(Bundle)", "path", ""),
        (uuid_text(uuid(3)), "uuid", "N"),
        (uuid_text(uuid(3)).upper(), "uuid", "N"),
        ("x", "name", "M.x"),
        ("Bundle", "name", ""),
    ],
)
def test_a_path_is_taken_before_a_uuid_and_a_name(word: str, by: str, path: str) -> None:
    found = lookup(BUNDLE, word)
    assert (found.by, [entry.path for entry in found.objects]) == (by, [path])
    assert find_object(BUNDLE, word) is found.objects[0]


def test_a_name_of_several_objects_is_ambiguous() -> None:
    """`get` showed the first, and an edit changed it."""
    rows = ((1, 1, "A", "A"), (2, 2, "A.Light", "Light"), (3, 2, "B.Light", "Light"))
    entries = [object3(number, kind, path, name, b"") for number, kind, path, name in rows]
    bundle = read_bundle(builder.bundle3(TYPES, [builder.bundle_object(), *entries]))
    assert [entry.path for entry in lookup(bundle, "Light").objects] == ["A.Light", "B.Light"]
    with pytest.raises(NotInBundleError, match=r"^'Light' is ambiguous \(2 matches\): A\.Light, B\.Light$"):
        find_object(bundle, "Light")
    assert find_object(bundle, "B.Light").uuid == uuid(3)


def test_words_without_an_object_are_told_with_all_names() -> None:
    names = {"Bundle", "M", "M.x", "x", "N", "N.x"}
    assert lookup(BUNDLE, "m") == ("", (), names)
    with pytest.raises(NotInBundleError, match="no object named 'm'") as caught:
        find_object(BUNDLE, "m", "A.casset")
    assert (caught.value.names, caught.value.field, caught.value.path) == (names, "m", "A.casset")


@pytest.mark.parametrize(
    ("classes", "paths"),
    [
        ((), ["", "M", "M.x", "N", "N.x"]),
        (("mesh",), ["M", "M.x", "N.x"]),
        (("/code/t.a::MESH",), ["M", "N.x"]),
        (("A::Mesh",), []),
        (("SubMesh", "Bundle"), ["", "N"]),
    ],
)
def test_classes_are_named_with_or_without_their_module(classes: tuple[str, ...], paths: list[str]) -> None:
    assert [entry.path for entry in of_classes(BUNDLE, classes)] == paths


@pytest.mark.parametrize(
    ("text", "classes", "paths"),
    [
        ("M", (), ["M", "M.x", "N.x"]),
        ("M", ("mesh",), ["M", "M.x", "N.x"]),
        ("N", ("SubMesh",), ["N"]),
        ("und", (), [""]),
    ],
)
def test_a_search_looks_in_paths_and_names(text: str, classes: tuple[str, ...], paths: list[str]) -> None:
    assert [entry.path for entry in search(BUNDLE, lambda name: text in name, classes)] == paths


def test_names_for_people() -> None:
    assert [place(BUNDLE, entry) for entry in BUNDLE.objects] == ["(Bundle)", "M", "M.x", "N", "N.x"]
    assert object_names(BUNDLE) == {
        OWN: "(Bundle)", uuid(1): "M", uuid(2): "M.x", uuid(3): "N", uuid(4): "N.x"
    }  # fmt: skip
    assert dependency_text(OWN) == uuid_text(OWN)
    assert dependency_text("/Game/Other") == "/Game/Other"
