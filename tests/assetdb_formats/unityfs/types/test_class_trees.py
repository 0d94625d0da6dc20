"""Values without type trees: by the layouts of the extra, and said plainly where that is absent."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.unityfs.bundle import open_bundle
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr
from assetdb_formats.unityfs.types.class_trees import MissingLayoutsError, class_tree
from tests.assetdb.builds import making

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb_formats.unityfs.serialized_files.tree_values import Value


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    class_tree.cache_clear()
    yield
    class_tree.cache_clear()


def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "UnityPy.helpers.Tpk", None)
    folder = making.player(tmp_path / "Game_Data")
    with open_bundle(folder / "sharedassets0.assets") as bundle:
        found = next(bundle.objects())
        assert found.name == "apple"  # names need no extra
        with pytest.raises(MissingLayoutsError, match=r"class 28 has no type tree.*assetdb\[layouts\]") as error:
            found.value()
    assert isinstance(error.value, UnityFSError)


def test_a_class_or_release_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("UnityPy")
    with pytest.raises(UnityFSError, match="has no Unity release"):
        class_tree(28, "0.0.0")
    with pytest.raises(UnityFSError, match="not in the layouts"):
        class_tree(123_456_789, "2022.3.1f1")


def test_a_tree_of_the_extra_is_depth_first_with_levels_and_alignment() -> None:
    pytest.importorskip("UnityPy")
    tree = class_tree(49, "2022.3.1f1")
    assert [(node.level, node.type_name, node.name, node.aligned) for node in tree] == [
        (0, "TextAsset", "Base", False),
        (1, "string", "m_Name", False),
        (2, "Array", "Array", True),
        (3, "int", "size", False),
        (3, "char", "data", False),
        (1, "string", "m_Script", False),
        (2, "Array", "Array", True),
        (3, "int", "size", False),
        (3, "char", "data", False),
    ]
    assert [node.size for node in tree[:4]] == [-1, -1, -1, 4]


def plain(value: Value | Any) -> Any:  # noqa: ANN401 - what UnityPy has
    """Return a value as UnityPy has it."""
    if isinstance(value, PPtr):
        return {"m_FileID": value.file_id, "m_PathID": value.path_id}
    if isinstance(value, dict):
        return (
            (plain(value["first"]), plain(value["second"]))
            if set(value) == {"first", "second"}
            else {key: plain(item) for key, item in value.items()}
        )
    return [plain(item) for item in value] if isinstance(value, list) else value


@pytest.mark.corpus("builds")
@pytest.mark.parametrize("name", ["globalgamemanagers", "level0"])
def test_values_are_those_of_unitypy(corpus: Path, name: str) -> None:
    unitypy = pytest.importorskip("UnityPy")
    path = corpus / "builds/Urbanize/Build_Data" / name
    theirs = {item.path_id: item for item in unitypy.load(str(path)).objects}
    compared = 0
    with open_bundle(path) as bundle:
        for found in bundle.objects():
            if found.class_name in ("114", "94", "116"):  # scripts; maps and sets that UnityPy has in other shapes
                continue
            value, other = found.value(), theirs[found.path_id].read_typetree()
            assert isinstance(value, dict)
            assert list(value) == list(other)
            for key in (
                "m_Name",
                "m_GameObject",
                "m_LocalPosition",
                "m_Enabled",
                "scenes",
                "companyName",
                "m_Children",
            ):
                if key in value:
                    assert plain(value[key]) == other[key], (found.path_id, key)
                    compared += 1
    assert compared > 2
