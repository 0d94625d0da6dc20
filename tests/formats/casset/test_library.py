"""The package as a library: what it exports, what ``open`` takes, what every error is."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

import formats.casset
from formats.binary import FormatError
from tests.formats.casset import builder

ROOT = Path(__file__).parents[3]


def test_the_exported_names() -> None:
    expected = """
        Bundle CassetError EditError Graph NotInBundleError Project Reference UnsupportedError diff_bundles leaves
        lookup open rename retarget save scan search set_value typed_value uuid_text verify_bundle
    """
    assert set(expected.split()) <= set(formats.casset.__all__)
    assert sorted(formats.casset.__all__) == sorted(dir(formats.casset))
    for name in formats.casset.__all__:
        assert getattr(formats.casset, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        formats.casset.nothing  # noqa: B018 - that is the test


def test_importing_the_package_imports_only_the_package() -> None:
    code = "import formats.casset, sys\nprint(*sorted(name for name in sys.modules if name.startswith('formats')))"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["formats", "formats.casset", "formats.lazy_names"]


def test_open_takes_a_path_bytes_or_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "A.casset"
    path.write_bytes(builder.all_types())
    for source in (path, str(path), path.read_bytes(), BytesIO(path.read_bytes())):
        assert formats.casset.open(source).name == "Bundle"
    with pytest.raises(FileNotFoundError):
        formats.casset.open(tmp_path / "absent")


def test_errors_are_one_tree(tmp_path: Path) -> None:
    with pytest.raises(formats.casset.CassetError):
        formats.casset.open(builder.all_types()[:-1])
    with pytest.raises(formats.casset.UnsupportedError, match="CPAK"):
        formats.casset.open(b"\0CPAK\0\0\n" + bytes(40))
    (tmp_path / "A.casset").write_bytes(builder.all_types()[:-1])
    with pytest.raises(formats.casset.CassetError) as caught:
        formats.casset.open(tmp_path / "A.casset")
    assert caught.value.path == str(tmp_path / "A.casset")
    bundle = formats.casset.open(builder.all_types())
    own = builder.uuid(1)
    with pytest.raises(formats.casset.NotInBundleError):
        formats.casset.set_value(bundle, own, "absent", 1)
    with pytest.raises(formats.casset.NotInBundleError):
        formats.casset.rename(bundle, builder.uuid(999), "X")
    with pytest.raises(formats.casset.EditError):
        formats.casset.rename(bundle, own, "a.b")
    with pytest.raises(formats.casset.EditError):
        formats.casset.typed_value(formats.casset.Field("x", formats.casset.FieldType.U8), "no number")
    for text in ("1-2", "g" * 8 + "-0000-0000-0000-000000000000", "9" * 21):
        with pytest.raises(formats.casset.CassetError):
            formats.casset.uuid_from_text(text)
    assert issubclass(formats.casset.CassetError, FormatError)


def test_objects_are_found_by_path_uuid_name_class_and_text() -> None:
    bundle = formats.casset.open(builder.all_types())
    (found,) = formats.casset.lookup(bundle, "All").objects
    assert formats.casset.lookup(bundle, formats.casset.uuid_text(found.uuid)).objects == (found,)
    assert formats.casset.lookup(bundle, "(Bundle)").objects[0].path == ""
    assert "All" in formats.casset.lookup(bundle, "Al").names
    for classes in (["AllTypes"], ["/code/test.t::alltypes"]):
        assert list(formats.casset.of_classes(bundle, classes)) == [found]
    assert [entry.path for entry in formats.casset.search(bundle, lambda text: "ll" in text)] == ["All"]
