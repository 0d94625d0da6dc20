"""``GUID.info``: main object and sub-assets, as written and cut."""

from __future__ import annotations

import pytest

from assetdb.doctor.library.comparison import MAIN, SUB, EditorObject
from assetdb.doctor.library.info_files import read_info
from assetdb_formats.binary import FormatError
from tests.assetdb.doctor.library.editor_files import Shown, info
from tests.assetdb.unity_project import guid

PATH = "Assets/Art/tiles.png"
SHEET = info(
    PATH,
    Shown("tiles", 2800000, 28),
    [Shown('"a: \\"b\\" \\\\ \\xE4"', -77, 213), Shown("'it''s'", 21300002, 213), Shown("", 114, 114, "Acme.Settings")],
)


def test_the_main_object_comes_first_and_texts_are_decoded() -> None:
    assert read_info(SHEET, guid(4)) == [
        EditorObject(guid(4), PATH, MAIN, 2800000, "Texture2D", "", "tiles"),
        EditorObject(guid(4), PATH, SUB, -77, "Sprite", "", 'a: "b" \\ ä'),
        EditorObject(guid(4), PATH, SUB, 21300002, "Sprite", "", "it's"),
        EditorObject(guid(4), PATH, SUB, 114, "MonoBehaviour", "Acme.Settings", ""),
    ]


def test_line_ends_of_windows_and_a_name_that_is_wrapped() -> None:
    wrapped = info("Assets/x.mat", Shown('"one\n      two"', 2100000, 21)).replace(b"\n", b"\r\n")
    assert read_info(wrapped, guid(1))[0].name == "one two"


def test_a_key_without_a_value_takes_none_of_the_next_line() -> None:
    (found,) = read_info(info("Assets/x.mat", Shown("", 2100000, 21)).replace(b"name: \n", b"name:\n"), guid(1))
    assert (found.name, found.path) == ("", "Assets/x.mat")


def test_a_class_without_a_name_is_its_number() -> None:
    assert read_info(info("Assets/x", Shown("x", 1, 987654321)), guid(1))[0].type == "987654321"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "has no BaseName"),
        (b"version https://git-lfs.github.com/spec/v1\n", "has no BaseName"),
        (b"\x01BaseName:\n  labels:\n    m_Labels: []\n", "has no main object"),
        (SHEET[:-1], "is cut"),
        (SHEET[: SHEET.index(b"  labels:") - 80].rpartition(b"\n")[0] + b"\n", "thumbnailClassID"),
        (SHEET.replace(b"localIdentifier: -77", b"localIdentifier: many"), "localIdentifier"),
        (SHEET.replace(b"localIdentifier: -77", b"localIdentifier: " + b"7" * 5000), "localIdentifier"),
        (SHEET + SHEET[SHEET.index(b"  mainRep") : SHEET.index(b"  representations")], "or several"),
    ],
)
def test_what_is_cut_or_no_such_file_is_refused_with_its_place(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said) as caught:
        read_info(data, guid(4))
    assert caught.value.offset is not None


def test_every_proper_prefix_is_refused_or_has_whole_objects() -> None:
    whole = read_info(SHEET, guid(4))
    for size in range(0, len(SHEET), 3):
        try:
            found = read_info(SHEET[:size], guid(4))
        except FormatError:
            continue
        assert [item.file_id for item in found] == [item.file_id for item in whole[: len(found)]]
