"""The layouts of bundles without type trees."""

from __future__ import annotations

from assetdb_formats.unityfs.serialized_files.skim import program_of
from assetdb_formats.unityfs.serialized_files.tree_values import make_plan, read_value
from assetdb_formats.unityfs.types.builtin import builtin_tree
from tests.assetdb_formats.unityfs import builder


def test_asset_bundles_and_texts_are_read_as_their_trees_have_them() -> None:
    _, bundle, text = builder.things()
    found = {}
    for thing in (bundle, text):
        tree = builtin_tree(thing.class_id)
        assert tree is not None
        found[thing.class_id] = read_value(make_plan(tree), thing.data)
    value, end = found[142]
    assert isinstance(value, dict)
    assert (end, value["m_AssetBundleName"], value["m_Dependencies"]) == (
        len(bundle.data) - 3,
        "basket.bundle",
        ["other"],
    )
    assert value["m_IsStreamedSceneAssetBundle"] is False
    assert found[49] == ({"m_Name": "notes", "m_Script": "Füße\n" * 40}, len(text.data))
    tree = builtin_tree(142)
    assert tree is not None
    assert program_of(make_plan(tree)) == "na[p]a[sa8p]a8p"
    assert [builtin_tree(class_id) for class_id in (1, 114, 141, 143)] == [None] * 4
