"""GUIDs that were made up are known, and no other."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from assetdb.checks.placeholder_guids import is_placeholder, placeholders

GUID = re.compile(rb"^guid: ([0-9a-f]{32})", re.MULTILINE)


@pytest.mark.parametrize(
    "guid",
    [
        "0123456789abcdef0123456789abcdef",
        "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6",
        "fedcba9876543210fedcba9876543210",
        "00000000000000000000000000000000",
        "deadbeefdeadbeefdeadbeefdeadbeef",
        "12341234123412341234123412341234",
        "1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d",
    ],
)
def test_what_a_person_or_an_assistant_typed(guid: str) -> None:
    assert is_placeholder(guid)


@pytest.mark.parametrize(
    "guid",
    [
        "8f57b4a070f7b43bbb3925467e6752ab",
        "0000000000000000f000000000000000",  # Unity's own resources: not a meta's, and no period
        "deadbeef1deadbeef1deadbeef1deadb",  # a period of nine
        "0123456789abc0000f0e0d0000f00f00",  # twelve steps
    ],
)
def test_what_only_looks_like_it(guid: str) -> None:
    assert not is_placeholder(guid)


def test_no_random_guid_is_one() -> None:
    drawn = random.Random(5)
    assert not any(is_placeholder(f"{drawn.getrandbits(128):032x}") for _ in range(20_000))


@pytest.mark.long
def test_none_of_a_million_random_guids_is_one() -> None:
    drawn = random.Random(6)
    for _ in range(20):
        assert list(placeholders(drawn.randbytes(16 * 50_000))) == []


def near_placeholder(drawn: random.Random) -> bytes:
    """Draw a GUID that counts or repeats itself here and there."""
    digits = [drawn.randrange(16) for _ in range(32)]
    distance, step = drawn.choice((1, 2, 3, 4)), drawn.choice((-1, 0, 1))
    for place in range(distance, 32):
        if drawn.random() < 0.6:
            digits[place] = (digits[place - distance] + step) % 16
    if drawn.random() < 0.2:
        period = drawn.randrange(1, 11)
        digits = [digits[place % period] for place in range(32)]
    return bytes.fromhex("".join(f"{digit:x}" for digit in digits))


def test_many_at_once_are_judged_as_one_by_one() -> None:
    drawn = random.Random(7)
    guids = [near_placeholder(drawn) for _ in range(5_000)]
    expected = [number for number, guid in enumerate(guids) if is_placeholder(guid.hex())]
    assert 500 < len(expected) < 4_500
    assert list(placeholders(b"".join(guids))) == expected
    assert list(placeholders(b"")) == []


PROJECTS = (
    *("Addressables-Sample", "BoatAttack", "EntityComponentSystemSamples", "FPSSample", "Mirror", "PhysicsExamples2D"),
    *("Pinpoint", "UnityPlayground", "com.unity.2d.animation", "daggerfall-unity", "unity-explorer", "unitystation"),
)


@pytest.mark.long
@pytest.mark.corpus(*(f"unity/{name}" for name in PROJECTS))
def test_the_corpus_has_eleven(corpus: Path) -> None:
    found: Counter[str] = Counter()
    for project in PROJECTS:
        for folder, _folders, names in os.walk(corpus / "unity" / project):
            for name in names:
                if name.endswith(".meta"):
                    match = GUID.search((Path(folder) / name).read_bytes())
                    if match:
                        found["metas"] += 1
                        found[project] += is_placeholder(match[1].decode())
    assert +found == Counter({"metas": found["metas"], "Mirror": 1, "unity-explorer": 10})
    assert found["metas"] > 90_000
