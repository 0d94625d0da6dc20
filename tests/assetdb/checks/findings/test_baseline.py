"""A baseline leaves out what was there, counted, and nothing that is new."""

from __future__ import annotations

import json
import random

import pytest

from assetdb.checks.findings import baseline
from assetdb.checks.findings.baseline import decode, encode, sift
from assetdb.checks.findings.codes import UNKNOWN_GUID
from assetdb.checks.findings.finding import Finding
from assetdb.errors import FileError
from assetdb.version import VERSION

GUID = "8f57b4a070f7b43bbb3925467e6752ab"
ONE = Finding("dangling", "error", "Assets/a.prefab", "m", 12, "Body", "m_Mesh", GUID, 33, "x:1")
CODES = ("dangling", "missing-meta")
TWO = Finding("missing-meta", "error", "Assets/b\udcff.txt", "has no .meta")


def test_what_was_there_is_left_out_wherever_it_went() -> None:
    known = decode(encode([ONE, TWO], CODES), "b.json")
    moved = ONE._replace(line=90, path="Assets/new/a.prefab", message="other words")
    assert sift([moved, TWO], known, CODES) == ((), 2, 0, {}, {})
    new = ONE._replace(target="x:2")
    assert sift([new, TWO], known, CODES) == ((new,), 1, 1, {}, {})


def test_one_more_of_a_kind_is_new() -> None:
    known = decode(encode([ONE, ONE], CODES), "b.json")
    assert sift([ONE, ONE, ONE], known, CODES) == ((ONE,), 2, 0, {}, {})
    assert sift([ONE], known, CODES) == ((), 1, 1, {}, {})
    assert sift([], known, CODES) == ((), 0, 2, {}, {})


def test_the_same_findings_make_the_same_bytes() -> None:
    rows = [ONE._replace(anchor=number) for number in range(20)] + [TWO, ONE, ONE]
    data = encode(rows, CODES)
    shuffled = random.Random(1).sample(rows, len(rows))
    assert encode(shuffled, CODES) == data
    document = json.loads(data)
    assert document["version"] == baseline.VERSION_OF_FORMAT
    assert document["assetdb"] == VERSION
    assert [row["code"] for row in document["findings"]] == ["dangling"] * 21 + ["missing-meta"]
    assert data.count(b"\n") == 22 + 7  # a line a finding, so that a diff says what was mended
    assert document["codes"] == ["dangling", "missing-meta"]
    assert sum(decode(data, "b.json").known.values()) == len(rows)
    assert decode(encode([], ()), "b.json") == ({}, frozenset())


def test_a_code_that_came_is_new_and_named() -> None:
    """A version that checks more neither passes in silence nor fails without the reason."""
    known = decode(encode([TWO], ["missing-meta"]), "b.json")
    assert sift([ONE, ONE, TWO], known, CODES) == ((ONE, ONE), 1, 0, {"dangling": 2}, {})


def test_a_finding_under_its_code_of_a_full_check_leaves_nothing_unchecked() -> None:
    known = decode(encode([ONE._replace(code="missing-asset")], CODES), "b.json")
    assert sift([ONE._replace(code=UNKNOWN_GUID)], known, [UNKNOWN_GUID]) == ((), 1, 0, {}, {})


def test_a_code_that_went_is_not_taken_for_mended() -> None:
    known = decode(encode([ONE, ONE, TWO], CODES), "b.json")
    assert sift([], known, ["missing-meta"]) == ((), 0, 1, {}, {"dangling": 2})


def test_a_baseline_that_names_no_codes_had_those_of_its_findings() -> None:
    document = json.loads(encode([TWO], CODES))
    del document["codes"]
    known = decode(json.dumps(document).encode(), "b.json")
    assert sift([ONE, TWO], known, CODES) == ((ONE,), 1, 0, {"dangling": 1}, {})
    assert sift([TWO, TWO], known, CODES) == ((TWO,), 1, 0, {}, {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a baseline: Expecting value"),
        ("\udc80", "is not a baseline"),
        ("[" * 100_000, "is not a baseline"),
        ("[]", 'it has no list "findings"'),
        ('{"version": 1}', 'it has no list "findings"'),
        ('{"version": 2, "findings": []}', "version 2; this assetdb reads 1"),
        ('{"version": 1, "findings": [3]}', r"findings\[0\] is not a finding"),
        ('{"version": 1, "findings": [{"file": "x"}]}', r"findings\[0\] is not a finding"),
        ('{"version": 1, "findings": [{"code": "x", "count": 0}]}', r"findings\[0\] is not a finding"),
        ('{"version": 1, "findings": [{"code": "x", "count": true}]}', r"findings\[0\] is not a finding"),
        ('{"version": 1, "findings": [{"code": "x", "object": 5}]}', r"findings\[0\] is not a finding"),
        ('{"version": 1, "codes": "x", "findings": []}', '"codes" is not a list of codes'),
        ('{"version": 1, "codes": [1], "findings": []}', '"codes" is not a list of codes'),
    ],
)
def test_what_is_no_baseline(text: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        decode(text.encode("utf-8", "surrogateescape"), "b.json")
