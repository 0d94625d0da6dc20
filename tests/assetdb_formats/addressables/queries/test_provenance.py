"""The packages that can have written a catalog, and why."""

from __future__ import annotations

import pytest

from assetdb_formats.addressables.companions.settings import read_settings
from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.model import BUNDLE_FIELDS, BundleOptions
from assetdb_formats.addressables.queries.provenance import Provenance, provenance_of
from assetdb_formats.addressables.reading import read_catalog
from tests.assetdb_formats.addressables.builder import write


def entries(shape: int = 0, *names: str) -> list[Entry]:
    """Return two assets, a third that needs both, one for each name, and a bundle with some option fields."""
    made = [Entry(["a"], "a", "p"), Entry(["b"], "b", "p"), Entry(["c"], "c", "p", None, ["a", "b"])]
    made += [Entry([f"key {name}"], name, "p") for name in names]
    if shape:
        options = BundleOptions("0f" * 16, shape=tuple(BUNDLE_FIELDS)[:shape])
        made.append(Entry(["bundle"], "bundle", "p", data=options))
    return made


def json_origin(name: str, *, shape: int = 0, compact: bool = False, version: str = "") -> Provenance:
    flavour = JSON_FLAVOURS[name]._replace(compact=compact)
    made = entries(shape, "x/y") if compact else entries(shape)
    settings = read_settings(b'{"m_AddressablesVersion":"%s"}' % version.encode()) if version else None
    return provenance_of(read_catalog(write(Content(flavour, made), flavour)), settings)


@pytest.mark.parametrize(
    ("name", "first", "last", "evidence"),
    [
        ("0.1", "0.1", "0.4", ["entries have 4 columns", "field names begin with a lower-case letter"]),
        ("0.5", "0.5", "0.5", ["entries have 4 columns"]),
        ("0.6", "0.6", "0.6.8", ["entries have 4 columns"]),
        ("0.7", "0.7.4", "0.8.6", ["entries have 5 columns"]),
        ("1.1", "1.1.3", "1.16.7", ["entries have 7 columns", "it has m_Keys"]),
        ("1.16.8", "1.16.8", "1.21.0", [
            "entries have 7 columns", "it has m_InternalIdPrefixes but no m_BuildResultHash"]),
        ("1.21.1", "1.21.1", "1.21.2", ["entries have 7 columns", "it has m_BuildResultHash"]),
        ("1.21.3", "1.21.3", "4.x", ["entries have 7 columns", "it has m_BuildResultHash"]),
        ("1.28", "1.28.0", "4.x", ["entries have 7 columns", "it has m_BuildResultHash"]),
    ],
)  # fmt: skip
def test_each_json_shape_is_of_its_packages(name: str, first: str, last: str, evidence: list[str]) -> None:
    found = json_origin(name)
    assert (found.version, found.first, found.last, found.contradiction, found.lost) == (None, first, last, None, ())
    sets = "text" if JSON_FLAVOURS[name].text_sets else "Int32"
    seed = ["their hash begins at 17"] if name == "1.28" else []
    assert list(found.evidence) == [*evidence, f"keys of dependency sets are {sets}", *seed]


def test_options_and_prefixes_narrow_it_down() -> None:
    nine, ten, twelve = (json_origin("1.16.8", shape=count) for count in (9, 10, 12))
    assert [(one.first, one.last) for one in (nine, ten, twelve)] == [
        ("1.16", "1.16.19"), ("1.16.8", "1.21.0"), ("1.17", "1.21.0")
    ]  # fmt: skip
    assert "bundle options have 12 fields" in twelve.evidence
    assert json_origin("1.21.1", shape=12).first == "1.21.1"
    compact = json_origin("1.16.8", compact=True)
    assert (compact.last, compact.evidence[2]) == ("1.21.2", "internal ids are split into prefix and rest")
    assert json_origin("1.28", compact=True).contradiction == "no package writes this mixture of fields"


def test_the_version_of_the_settings_is_within_the_range_or_contradicts_it() -> None:
    for version in ("1.16.8", "1.17", "1.21.0", "1.21.0-preview.1", "1.16.8-x"):
        found = json_origin("1.16.8", version=version)
        assert (found.version, found.contradiction) == (version, None)
    for version in ("1.16.7", "1.21.1", "2.0", "1.x"):
        found = json_origin("1.16.8", version=version)
        wanted = f"settings.json is of {version}, the file's shape of 1.16.8 to 1.21.0"
        assert (found.version, found.contradiction) == (version, wanted)
    assert json_origin("1.28", version="4.1.2").contradiction is None
    assert json_origin("0.6", version="0.6.8").contradiction is None


def test_each_binary_shape_is_of_its_packages() -> None:
    for name, first, last, chains, header in (
        ("1.21.3", "1.21.3", "1.21.19", "first", 28), ("1.21.20", "1.21.20", "1.27", "first", 32),
        ("2.0.3", "2.0.3", "2.0.6", "last", 28), ("2.9", "2.9.0", "3.0", "last", 32),
        ("4.0", "4.0.0", "4.x", "last", 32),
    ):  # fmt: skip
        flavour = BINARY_FLAVOURS[name]
        made = Content(flavour, entries(0, "Grün", "long_folder/other_file"))
        found = provenance_of(read_catalog(write(made, flavour)))
        if name == "4.0":
            assert found.evidence[3:] == ("the parts of chains are written from their end",)
        assert (found.first, found.last) == (first, last)
        assert found.evidence[:3] == (
            f"version {flavour.version} of the format", f"a header of {header} bytes",
            f"string chains begin with the {chains} part",
        )  # fmt: skip
        assert (found.evidence[3:] == ("letters of 128 to 255 are stored as UTF-16",)) is (name == "2.9")
        assert bool(found.lost) is (flavour.unicode_from == 256)


def test_question_marks_in_file_names_are_counted_as_lost_letters() -> None:
    flavour = BINARY_FLAVOURS["2.0.8"]
    format_lost = "dependency hashes and the default of redirect limits are not in the format"
    for names, count in ((["a?/b"], 0), (["http://x/a?b"], 0), (["a/b?", "c?"], 2)):
        found = provenance_of(read_catalog(write(Content(flavour, entries(0, *names)), flavour)))
        letters = f"{count} file names have a question mark where a letter of 128 to 255 was"
        assert found.lost == ((letters, format_lost) if count else (format_lost,))
