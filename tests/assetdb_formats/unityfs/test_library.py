"""The package as a library: what it exports, what ``open`` takes, where references lead, what every error is."""

from __future__ import annotations

import gc
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from assetdb_formats import unityfs
from assetdb_formats.binary import FormatError
from assetdb_formats.inputs import find_inputs
from assetdb_formats.unityfs.queries import usages
from assetdb_formats.unityfs.queries.neighbours import _KEPT_OPEN
from tests.assetdb_formats.unityfs import builder

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """basket.bundle, whose script refers to a text of its own and to one of other.bundle."""
    kinds = builder.every_kind()
    (tmp_path / "basket.bundle").write_bytes(kinds["LZ4HC"])
    p = builder.Packer()
    readme = builder.Thing(4242, 49, p.string(b"readme") + p.string(b"Eat."))
    other = builder.serialized_file([readme], builder.KINDS[2:])
    (tmp_path / "other.bundle").write_bytes(builder.archive([("CAB-0a", other)]))
    return tmp_path


def bundles_in(folder: Path) -> unityfs.BundleSet:
    return unityfs.BundleSet(find_inputs(str(folder), lambda _: True))


def test_the_exported_names() -> None:
    expected = """
        Bundle BundleSet EncryptedError ObjectReader PPtr UnityFSError UnsupportedError archive_name bundle_usages
        content_crc32 external_references header_changes lookup object_references object_usages open
        search summarize text_asset_bytes unused_bundles verify_bundle
    """
    assert set(expected.split()) <= set(dir(unityfs))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        unityfs.nothing  # type: ignore[attr-defined]  # noqa: B018 - that is the test


def test_importing_the_package_imports_only_the_package() -> None:
    code = "import assetdb_formats.unityfs, sys\n"
    code += "print(*sorted(n for n in sys.modules if n.startswith('assetdb_formats')))"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["assetdb_formats", "assetdb_formats.lazy_names", "assetdb_formats.unityfs"]


def test_open_takes_a_path_bytes_or_a_stream(folder: Path) -> None:
    path = folder / "basket.bundle"
    stream = BytesIO(path.read_bytes())
    for source in (path, str(path), path.read_bytes(), stream):
        with unityfs.open(source) as bundle:
            assert [found.name for found in bundle.objects(["textasset"])] == ["notes"]
    assert not stream.closed
    with pytest.raises(FileNotFoundError) as caught:
        unityfs.open(folder / "absent")
    assert caught.value.filename == str(folder / "absent")


def test_a_bundle_that_nobody_closes_is_closed_when_nothing_of_it_is_held(folder: Path) -> None:
    (found,) = unityfs.open(folder / "basket.bundle").objects(["TextAsset"])
    gc.collect()
    assert found.value()["m_Name"] == "notes"  # the object holds its bundle, and that its file
    del found
    gc.collect()  # an unclosed file would be a ResourceWarning here, which fails the test


def _read_all(path: Path) -> None:
    with unityfs.open(path) as bundle:
        for node in bundle.nodes:
            list(bundle.pieces(node))


def test_errors_are_one_tree_and_name_the_file(folder: Path) -> None:
    path = folder / "basket.bundle"
    good = path.read_bytes()
    path.write_bytes(good[:-1])
    with pytest.raises(unityfs.UnityFSError) as caught:
        unityfs.open(path)
    assert caught.value.path == str(path)
    path.write_bytes(b"UnityArchive\0" + bytes(60))
    with pytest.raises(unityfs.UnsupportedError):
        unityfs.open(path)
    path.write_bytes(builder.archive([("CAB-a", b"")], extra_flags=0x1400))
    with pytest.raises(unityfs.EncryptedError):
        unityfs.open(path)
    damaged = bytearray(builder.every_kind()["LZMA"])
    damaged[-200:-100] = bytes(100)
    path.write_bytes(damaged)
    with pytest.raises(unityfs.UnityFSError) as caught:
        _read_all(path)
    assert caught.value.path == str(path)  # also where it shows only later
    assert issubclass(unityfs.UnityFSError, FormatError)


def test_references_are_followed_in_the_bundle_and_into_the_others(folder: Path) -> None:
    with bundles_in(folder) as neighbours, unityfs.open(folder / "basket.bundle") as bundle:
        (basket,) = unityfs.lookup(bundle, "Basket").objects
        pointers = dict(basket.references())
        tree = basket.follow(pointers["references.RefIds[0].data.tree"])
        assert tree is not None
        assert (tree.name, tree.container) == ("notes", ("assets/notes.txt",))
        assert basket.follow(pointers["m_Script"]) is None
        target = neighbours.follow(basket, pointers["m_Script"])
        assert target is not None
        assert target.object is not None
        assert (target.object.name, Path(target.bundle.name).name) == ("readme", "other.bundle")
        lost = pointers["m_Script"]._replace(path_id=1)
        missing = neighbours.follow(basket, lost)
        assert missing is not None
        assert missing.object is None
        assert neighbours.follow(basket, lost._replace(file_id=2)) is None  # x.asset is in no bundle
        assert neighbours.follow(basket, lost._replace(file_id=99)) is None
        assert basket.follow(lost._replace(file_id=-1)) is None
        facts = list(unityfs.object_references(basket, neighbours))
        assert [fact.target.name for fact in facts if fact.target] == ["readme", "notes"]
        assert usages.resolve_reference(basket, "", lost._replace(file_id=9)).external == "external 9"


def test_objects_stay_readable_however_many_bundles_are_followed_into(folder: Path) -> None:
    p = builder.Packer()
    count = _KEPT_OPEN * 3
    for number in range(count):
        text = builder.Thing(7, 49, p.string(f"text {number}".encode()) + p.string(b"x"))
        data = builder.serialized_file([text], builder.KINDS[2:])
        (folder / f"{number}.bundle").write_bytes(builder.archive([(f"CAB-n{number}", data)]))
    script = builder.things()[0]
    externals = tuple(builder.External(f"archive:/CAB-n{number}/CAB-n{number}") for number in range(count))
    data = builder.serialized_file([script], builder.KINDS[:1], externals=externals, references=builder.REFERENCES)
    (folder / "all.bundle").write_bytes(builder.archive([("CAB-all", data)]))
    with bundles_in(folder) as neighbours, unityfs.open(folder / "all.bundle") as bundle:
        (source,) = bundle.objects()
        found = [neighbours.follow(source, unityfs.PPtr(number + 1, 7)) for number in range(count)]
        names = [target.object.value()["m_Name"] for target in found if target and target.object]
        assert names == [f"text {number}" for number in range(count)]


def test_a_damaged_neighbour_is_noted_and_the_others_answer(folder: Path) -> None:
    (folder / "bad.bundle").write_bytes(b"UnityFS\0" + bytes(40))
    with bundles_in(folder) as neighbours, unityfs.open(folder / "basket.bundle") as bundle:
        verdicts = [item.verdict for item in unityfs.external_references(bundle, neighbours)]
        assert verdicts == [unityfs.Verdict.FOUND, unityfs.Verdict.MISSING]
        assert [Path(str(error.path)).name for error in neighbours.unreadable if isinstance(error, FormatError)] == [
            "bad.bundle"
        ]
        unused = [Path(name).name for name in unityfs.unused_bundles(neighbours)]
        assert unused == ["basket.bundle"]
