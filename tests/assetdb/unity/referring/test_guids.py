"""The searches for GUIDs in a text find what one plain expression finds."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assetdb.unity.referring.guids import ended_runs, text_guids

if TYPE_CHECKING:
    from pathlib import Path

DIGITS = b"0123456789abcdefABCDEF"
GUID = b"0123456789abcdefABCDEF9876543210"
PIECES = [
    *(
        b"guid: ",
        b"guid:\n",
        b"guid:",
        b"uid: ",
        b"GUID:",
        b'"guid":"',
        b"guid:\t\r\n\v\f ",
        b"guid:\x1c",
        b"guid: guid: ",
    ),
    *(
        b"\n",
        b"\r\n",
        b" ",
        b"\t",
        b'"',
        b"'",
        b"\\",
        b",",
        b"}",
        b"\0",
        b"g",
        b"\xff",
        b"\xc3\xa4",
        b"\x85",
        b"",
        b"-0.5",
    ),
    *(GUID, GUID[:31], GUID[:1], GUID[:16], GUID + b"0", GUID * 2, GUID * 3 + GUID[:31], b"0" * 32, b"f" * 32),
]


def plain(data: bytes) -> tuple[set[bytes], list[int]]:
    others = re.finditer(rb"(?<![0-9a-fA-F])[0-9a-fA-F]{32}(?=[\r\n \t\"'\\]|\Z)", data)
    return set(re.findall(rb"guid:\s+([0-9a-fA-F]{32})(?=[,}\s]|\Z)", data)), [other.start() for other in others]


def check(data: bytes) -> None:
    found = plain(data)
    assert text_guids(data) == found
    assert text_guids(data, grid_from=0) == found
    assert ended_runs(data) == found[1]


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=40) | st.text("0aF:\n", max_size=40).map(str.encode)))
@settings(max_examples=300, deadline=None)
def test_any_text(pieces: list[bytes]) -> None:
    check(b"".join(pieces))


@pytest.mark.parametrize("length", [*range(28, 38), 63, 64, 65, 66, 95, 96, 97])
def test_a_run_at_every_offset_and_border(length: int) -> None:
    run = (GUID * 4)[:length]
    for before in (b"", b"guid: ", b"guid:\n", b"guid:", b"5", b"a: 1.5, guid: ", b"g", b"\0", b"\xe9"):
        for after in (b"", b"\n", b",", b'"', b"g", b"\\", b"\xe9", b" guid: " + GUID, b"." + GUID, b"." + run):
            for offset in range(34):
                check(b"-" * offset + before + run + after)
            check(b"x" + b"7" * 31 + before + run + after + b"7" * 31)


def test_every_byte_on_either_side_of_a_run() -> None:
    for byte in range(256):
        one = bytes([byte])
        for data in (
            GUID + one,
            one + GUID,
            b"guid:" + one + GUID,
            b"guid:" + one + b" " + GUID + one,
            GUID[:31] + one,
        ):
            check(data)
            check(b"-" + data + b"-")


def test_nothing_but_digits() -> None:
    for size in range(200):
        check(b"e" * size)
        check(b"guid: " + b"e" * size)


@pytest.mark.parametrize("offset", range(12))
@pytest.mark.parametrize("start", ["  m_Script: {guid: ", "  hash: "])
def test_no_run_falls_through_the_grid(offset: int, start: str) -> None:
    """Wherever it stands, a run of 32 digits is seen by the grid that large files are looked at through first."""
    other = b"x" * offset + b"\n"
    for digits in (GUID, GUID.upper(), b"0" * 31 + b"1"):
        check(other + start.encode() + digits + b"\n")
        assert text_guids(other + start.encode() + digits + b"\n", grid_from=0) != (set(), [])
    check(other + start.encode() + GUID[:30] + b"\n")


@pytest.mark.parametrize("seed", range(8))
def test_large_texts(seed: int) -> None:
    """Large enough for the grid; few pieces that are runs, and then many."""
    chance = random.Random(seed)
    curve = b"    - time: 0.0333\n      value: -1.7320508\n      inSlope: Infinity\n" * 3000
    check(curve)
    for weight in (0.0001, 0.01, 0.3):
        pieces = [
            chance.choice(PIECES)
            if chance.random() < weight
            else chance.randbytes(8).hex()[: chance.randrange(16)].encode() + b"."
            for _ in range(20_000)
        ]
        check(b"".join(pieces))
        check(curve + b"".join(pieces[:50]))
        check(b"".join(chance.choices([*PIECES, bytes([chance.choice(DIGITS)])], k=10_000)))


@pytest.mark.corpus("unity/BoatAttack")
@pytest.mark.long
def test_real_files(corpus: Path) -> None:
    for path in sorted((corpus / "unity" / "BoatAttack" / "Assets").rglob("*")):
        if path.suffix in {".prefab", ".asset", ".unity", ".mat", ".meta", ".shadergraph"} and path.is_file():
            check(path.read_bytes())
