"""References between bundles in both directions, and bundles that nobody needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from assetdb_formats.inputs import Input, find_inputs
from assetdb_formats.unityfs.bundle import ObjectReader, open_input
from assetdb_formats.unityfs.identity import archive_name
from assetdb_formats.unityfs.queries.neighbours import BundleSet
from assetdb_formats.unityfs.queries.usages import (
    BundleUsage,
    ExternalReference,
    ObjectUsage,
    Verdict,
    bundle_usages,
    external_references,
    object_references,
    object_usages,
    resolve_reference,
    unused_bundles,
)
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr
from tests.assetdb_formats.unityfs import builder

P = builder.Packer()
LOST = archive_name("other").upper()


def text(name: bytes) -> builder.Thing:
    return builder.Thing(4242, 49, P.string(name) + P.string(b"x"))


@pytest.fixture
def inputs(tmp_path: Path) -> dict[str, Input]:
    """A basket that refers to a readme, to itself, to Unity's files and to one that its list of dependencies names."""
    names = ("archive:/CAB-0A/CAB-0A", "CAB-basket", "Library/unity default resources", f"archive:/x/{LOST}", "level0")
    basket = builder.serialized_file(
        builder.things(),
        builder.KINDS,
        externals=tuple(map(builder.External, names)),
        references=builder.REFERENCES,
    )
    (tmp_path / "basket.bundle").write_bytes(builder.archive([("CAB-basket", basket)]))
    readme = builder.serialized_file([text(b"readme")], builder.KINDS[2:])
    (tmp_path / "other.bundle").write_bytes(builder.archive([("CAB-0a", readme)]))
    (tmp_path / "level0").write_bytes(readme)
    return {item.member: item for item in find_inputs(str(tmp_path), lambda _: True)}


def test_each_external_has_a_verdict(inputs: dict[str, Input]) -> None:
    with BundleSet(inputs.values()) as bundles, open_input(inputs["basket.bundle"]) as bundle:
        assert list(external_references(bundle, bundles)) == [
            ExternalReference(Verdict.FOUND, "CAB-basket", "archive:/CAB-0A/CAB-0A", inputs["other.bundle"].name),
            ExternalReference(Verdict.OWN, "CAB-basket", "CAB-basket", None),
            ExternalReference(Verdict.BUILTIN, "CAB-basket", "Library/unity default resources", None),
            ExternalReference(Verdict.MISSING, "CAB-basket", f"archive:/x/{LOST}", "other"),
            ExternalReference(Verdict.FOUND, "CAB-basket", "level0", inputs["level0"].name),
        ]


def objects(item: Input) -> dict[int, ObjectReader]:
    return {found.path_id: found for found in open_input(item).objects()}


def test_a_reference_leads_to_its_file_and_target(inputs: dict[str, Input]) -> None:
    script = objects(inputs["basket.bundle"])[-20]
    own = inputs["basket.bundle"].name
    with BundleSet(inputs.values()) as bundles:
        abroad, home = object_references(script, bundles)
        assert (abroad.field, abroad.path_id, abroad.external) == ("m_Script", 4242, "archive:/CAB-0A/CAB-0A")
        assert abroad.target is not None
        assert (abroad.target.name, abroad.bundle) == ("readme", inputs["other.bundle"].name)
        assert (home.field, home.external, home.bundle) == ("references.RefIds[0].data.tree", "", own)
        assert home.target is not None
        assert home.target.name == "notes"
        itself = resolve_reference(script, "x", PPtr(2, 10), bundles)  # by the name of its own file
        assert itself.target is not None
        assert (itself.external, itself.target.name, itself.bundle) == ("CAB-basket", "notes", own)
        assert resolve_reference(script, "x", PPtr(4, 1), bundles)[1:] == (1, f"archive:/x/{LOST}", None, None)
        absent = resolve_reference(script, "x", PPtr(1, 1), bundles)
        assert (absent.target, absent.bundle) == (None, inputs["other.bundle"].name)
    assert resolve_reference(script, "x", PPtr(1, 4242))[2:] == ("archive:/CAB-0A/CAB-0A", None, None)
    assert resolve_reference(script, "x", PPtr(6, 1))[2:] == ("external 6", None, None)
    assert resolve_reference(script, "x", PPtr(0, 99))[2:] == ("", None, own)


def test_users_of_a_bundle_are_found_by_the_names_of_its_files(inputs: dict[str, Input]) -> None:
    basket = inputs["basket.bundle"].name
    with BundleSet(inputs.values()) as bundles:
        for name, path in (("other.bundle", "archive:/CAB-0A/CAB-0A"), ("level0", "level0")):
            with open_input(inputs[name]) as bundle:
                assert list(bundle_usages(inputs[name], bundle, bundles)) == [BundleUsage(basket, "CAB-basket", path)]
        with open_input(inputs["basket.bundle"]) as bundle:  # itself is no other
            assert list(bundle_usages(inputs["basket.bundle"], bundle, bundles)) == []


def test_users_of_an_object_are_fields_of_others(inputs: dict[str, Input]) -> None:
    basket = inputs["basket.bundle"].name
    steps: list[tuple[int, int]] = []
    with BundleSet(inputs.values()) as bundles:
        readme = objects(inputs["other.bundle"])[4242]
        found = list(
            object_usages(inputs["other.bundle"], readme, bundles, progress=lambda done, of: steps.append((done, of)))
        )
        assert found == [
            ObjectUsage(basket, -20, "MonoBehaviour", "Basket", "m_Script"),
            ObjectUsage(basket, 1, "AssetBundle", "basket.bundle", "m_PreloadTable[1]"),
        ]
        assert steps == [(0, 3), (1, 3), (2, 3)]
        notes = objects(inputs["basket.bundle"])[10]
        fields = [usage.field for usage in object_usages(inputs["basket.bundle"], notes, bundles)]
        assert fields == [
            "references.RefIds[0].data.tree",
            "m_PreloadTable[0]",
            "m_Container[0].second.asset",
        ]
        # The object of that number in another file is not meant, nor the one of a bare file of another name.
        bare = objects(inputs["level0"])[4242]
        assert list(object_usages(inputs["level0"], bare, bundles)) == []


def test_a_bundle_is_unused_that_only_itself_refers_to(inputs: dict[str, Input]) -> None:
    with BundleSet(inputs.values()) as bundles:
        assert [Path(name).name for name in unused_bundles(bundles)] == ["basket.bundle"]
