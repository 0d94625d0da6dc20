"""The package as a library: what it exports, what ``open`` takes, what every error is."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from assetdb_formats import casset
from assetdb_formats.binary import FormatError
from tests.assetdb_formats.casset import builder

ROOT = Path(__file__).parents[3]


def test_the_exported_names() -> None:
    expected = """
        Bundle CassetError EditError Graph NotInBundleError Project Reference UnsupportedError diff_bundles leaves
        lookup open rename retarget save scan search set_value typed_value uuid_text verify_bundle
    """
    assert set(expected.split()) <= set(dir(casset))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        casset.nothing  # type: ignore[attr-defined]  # noqa: B018 - that is the test


def test_importing_the_package_imports_only_the_package() -> None:
    code = "import assetdb_formats.casset, sys\n"
    code += "print(*sorted(n for n in sys.modules if n.startswith('assetdb_formats')))"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["assetdb_formats", "assetdb_formats.casset", "assetdb_formats.lazy_names"]


def test_open_takes_a_path_bytes_or_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "A.casset"
    path.write_bytes(builder.all_types())
    for source in (path, str(path), path.read_bytes(), BytesIO(path.read_bytes())):
        assert casset.open(source).name == "Bundle"
    with pytest.raises(FileNotFoundError):
        casset.open(tmp_path / "absent")


def test_errors_are_one_tree(tmp_path: Path) -> None:
    with pytest.raises(casset.CassetError):
        casset.open(builder.all_types()[:-1])
    with pytest.raises(casset.UnsupportedError, match="CPAK"):
        casset.open(b"\0CPAK\0\0\n" + bytes(40))
    (tmp_path / "A.casset").write_bytes(builder.all_types()[:-1])
    with pytest.raises(casset.CassetError) as caught:
        casset.open(tmp_path / "A.casset")
    assert caught.value.path == str(tmp_path / "A.casset")
    bundle = casset.open(builder.all_types())
    own = builder.uuid(1)
    with pytest.raises(casset.NotInBundleError):
        casset.set_value(bundle, own, "absent", 1)
    with pytest.raises(casset.NotInBundleError):
        casset.rename(bundle, builder.uuid(999), "X")
    with pytest.raises(casset.EditError):
        casset.rename(bundle, own, "a.b")
    with pytest.raises(casset.EditError):
        casset.typed_value(casset.Field("x", casset.FieldType.U8), "no number")
    for text in ("1-2", "g" * 8 + "-0000-0000-0000-000000000000", "9" * 21):
        with pytest.raises(casset.CassetError):
            casset.uuid_from_text(text)
    assert issubclass(casset.CassetError, FormatError)


def test_objects_are_found_by_path_uuid_name_class_and_text() -> None:
    bundle = casset.open(builder.all_types())
    (found,) = casset.lookup(bundle, "All").objects
    assert casset.lookup(bundle, casset.uuid_text(found.uuid)).objects == (found,)
    assert casset.lookup(bundle, "(Bundle)").objects[0].path == ""
    assert "All" in casset.lookup(bundle, "Al").names
    for classes in (["AllTypes"], ["/code/test.t::alltypes"]):
        assert list(casset.of_classes(bundle, classes)) == [found]
    assert [entry.path for entry in casset.search(bundle, lambda text: "ll" in text)] == ["All"]
