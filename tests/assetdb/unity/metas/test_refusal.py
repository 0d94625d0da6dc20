"""What Unity refuses in a meta, with its line."""

from __future__ import annotations

import pytest

from assetdb.unity.metas.refusal import QUOTED_GUID, SECOND_GUID, UNENDED_KEY, meta_fault, meta_refusal
from assetdb.unity.yaml.nodes import NO_BLOCK, NO_KEY, UNCLOSED_FLOW
from assetdb.unity.yaml.scalars import COLON_AT_LINE_END, UNCLOSED_QUOTE, UNKNOWN_ESCAPE

GUID = "0123456789abcdef0123456789abcdef"
META = f"fileFormatVersion: 2\nguid: {GUID}\n"


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        (f"{META}DefaultImporter:\n  userData:", (4, UNENDED_KEY)),
        (f'fileFormatVersion: 2\nguid: "{GUID}"\n', (2, QUOTED_GUID)),
        (f"fileFormatVersion: 2\nguid: '{GUID}'\n", (2, QUOTED_GUID)),
        (f'guid: "{GUID}"\nfileFormatVersion: 2\n', (1, QUOTED_GUID)),
        (f"{META}guid: {GUID[::-1]}\n", (3, SECOND_GUID)),
        (f"{META}folderAsset: yes\nguid: {GUID}", (4, SECOND_GUID)),
    ],
)
def test_what_unity_refuses_in_a_meta_has_its_line(meta: str, expected: tuple[int, str]) -> None:
    assert meta_refusal(meta.encode()) == (*expected, "")
    assert meta_refusal(meta.replace("\n", "\r\n").encode()) == (*expected, "")


BELOW = f"{META}TextureImporter:\n  serializedVersion: 11\n"
END = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ('  userData: \'{"a": 1}\n  assetBundleName: \n', 5, UNCLOSED_QUOTE),
        ('  userData: "\\q"\n', 5, UNKNOWN_ESCAPE),
        (f"  isReadable: 1\n  alone\n{END}", 6, NO_KEY),
        (f"  isReadable: 1\n  mode:1\n{END}", 6, NO_KEY),
        (f"  isReadable: {{x: 1\n{END}", 5, UNCLOSED_FLOW),
        (f"  mips: {{}}\n    deep: 1\n{END}", 6, NO_BLOCK),
        (f"  list:\n  - a: 1\n   b: 2\n{END}", 7, NO_BLOCK),
        (f"  name: one\n    two:\n{END}", 6, COLON_AT_LINE_END),
        (f"  mips: 1\n  - a\n{END}", 6, NO_KEY),
    ],
)
def test_what_both_readers_refuse_below_the_importer_has_its_line(lines: str, line: int, reason: str) -> None:
    meta = f"{BELOW}{lines}  other: 'a'\n"
    for end in ("\n", "\r\n"):
        assert meta_refusal(meta.replace("\n", end).encode()) == (line, reason, "")
    assert meta_refusal(b"\xef\xbb\xbf" + meta.encode()) == (line, reason, "")


def test_a_large_meta_that_is_cut_off_is_refused_at_its_last_line() -> None:
    rows = "    - serializedVersion: 2\n      name: a #1\n      rect: {x: 1, y: 2}\n" * 300
    sheet = f"{BELOW}  spriteSheet:\n    sprites:\n{rows}"
    assert len(sheet) > 16 << 10
    for cut, reason in (
        ("    - serializedVersion: 2\n      na", NO_KEY),
        ("    - serializedVersion: 2\n      rect: {x: 1,", UNCLOSED_FLOW),
        ("    - serializedVersion: 2\n      name: 'a: b", UNCLOSED_QUOTE),
    ):
        whole = sheet + cut
        assert meta_refusal(whole.encode()) == (whole.count("\n") + 1, reason, "")
        assert meta_refusal(whole.replace("\n", "\r\n").encode()) == (whole.count("\n") + 1, reason, "")
    for end in (END, "  userData:\n  assetBundleVariant:\n", "  secondarySpriteTextures: []\n", ""):
        assert meta_refusal((sheet + end).encode()) is None


@pytest.mark.parametrize("lines", ["  list:\n  -\n", "  list:\n  - a\n  -\n", '  userData: "one\\\n    two"\n'])
def test_what_the_newer_reader_alone_refuses_says_so(lines: str) -> None:
    refused = meta_refusal((BELOW + lines).encode())
    assert refused is not None
    assert refused[0] == BELOW.count("\n") + (1 if "userData" in lines else lines.count("\n"))
    assert refused[1].endswith(", which Unity refuses from 2019.3 on")
    assert refused[2] == "2019.3"


def test_a_large_meta_and_one_that_ends_as_those_of_unity_is_not_read_by_lines() -> None:
    meta = f"{BELOW}  alone\n{END}"
    assert meta_refusal(meta.encode()) is None
    for odd in (
        meta.replace("userData: ", "userData: x"),
        meta.replace("alone", "a: 'b'\n  alone"),
        meta + "  last: 1\n",
    ):
        assert meta_refusal(odd.encode()) == (5 + odd.count("'b'"), NO_KEY, "")


@pytest.mark.parametrize(
    "lines",
    [
        "  userData: '{\"a\": 1}'\n",
        '  userData: a #1\n  spriteName: "\\uD55C_0"\n',
        "  userData: a: b\n",  # refused up to 2019.2 only
        "  platformData:\n  - first:\n      : Any\n    second:\n      enabled: 0\n",
        "  platformData:\n    data:\n      first:\n        '': Any\n      second: 1\n",
        "  sprites: []\n...\n",
        "  externalObjects: {}\n  fileIDToRecycleName:\n    100000: 'a: b'\n    -5: c\n",
        "  labels:\n  - one\n  - \n",
        "  name: one\n    two\n",
        "  type:\ttab\n",
    ],
)
def test_what_the_newer_reader_reads_is_not_refused(lines: str) -> None:
    for meta in (BELOW + lines, f"{META}timeCreated: 1\nlicenseType: Pro\n{BELOW.removeprefix(META)}{lines}"):
        assert meta_refusal(meta.encode()) is None
        assert meta_refusal(meta.replace("\n", "\r\n").encode()) is None


@pytest.mark.parametrize(
    "meta",
    [
        META,
        META.rstrip(),  # 982 metas of public projects end so
        f"{META}DefaultImporter:\n  userData:\n",
        f"{META}DefaultImporter:\n  userData: ",
        f"{META}timeCreated: 1",
        f"{META}M:\n  externalObjects:\n  - second: {{fileID: 1, guid: {GUID}, type: 2}}\n",
        f"{META}M:\n  guid: {GUID}\n",
        "",
    ],
)
def test_what_unity_reads_is_not_refused(meta: str) -> None:
    assert meta_refusal(meta.encode()) is None


SHAPES = (
    "0123456789abcdef",
    "1" * 31,
    "2" * 34,
    "01234567-89ab-cdef-0123-456789abcdef",
    "~",
    "ASNFZ4mrze8BI0VniavN7w==",
)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_reference_whose_guid_unity_cannot_read_has_its_line(shape: str) -> None:
    head = f"{META}ModelImporter:\n  externalObjects:\n  - first:\n      name: Mat\n"
    meta = f"{head}    second: {{fileID: 2100000, guid: {shape}, type: 2}}\n"
    told = f"Unity cannot read the GUID {shape}: it is not 32 hexadecimal digits"
    assert meta_fault(meta.encode()) == ("invalid-guid", meta.count("\n"), told, "")


@pytest.mark.parametrize("shape", ["", "0" * 32, "a" * 32])
def test_no_reference_and_one_that_can_be_read_are_no_faults(shape: str) -> None:
    meta = f"{META}M:\n  icon: {{fileID: 2800000, guid: {shape}, type: 3}}\n"
    assert meta_fault(meta.encode()) is None


def test_a_refusal_is_a_broken_asset() -> None:
    assert meta_fault(f"{META}M:\n  a:".encode()) == ("broken-asset", META.count("\n") + 2, UNENDED_KEY, "")
