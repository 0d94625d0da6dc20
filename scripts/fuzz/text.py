"""Damage objects in ways that Unity refuses; compare check and get.

    python -m scripts.fuzz.text [--count 10000] [--seed N] [--examples 5]

Each document is written as Unity writes it, with one thing wrong that the rules below call refused by one of Unity's
readers or by both, or with random bytes changed, of which the rules say nothing. ``check`` and ``get`` must agree on
every one; of those that are refused, at least 98 of 100 must be found, and of those that are not, none.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from assetdb.contents.values import read_values
from assetdb.unity.yaml.judging.refusals import Judge
from assetdb.unity.yaml.objects import TextObjects
from assetdb.unity.yaml.structure import BROKEN_ASSET, find_faults
from assetdb.unity.yaml.text_asset import conflict_line
from assetdb_formats.binary import FormatError
from scripts.arguments import Given, script
from scripts.fuzz.running import damage
from tests.unity_text import NEW, OLD, written

_HEAD: Final = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
_OWN: Final = 11400000
_WORDS: Final = ("Button #1", "a: b", "don't", "", " led", "one two", "http://x", "{0}", "[1]", "- x", "x:", "é", "\t")
_CONTROLS: Final = "\x00\x01\x07\x1b"
_LEAST: Final = 0.98

Draw = random.Random
BOTH: Final = (True, True)
"""Whether a document is refused up to 2019.2, and from 2019.3 on."""


class Kind(NamedTuple):
    """A kind of damage.

    Attributes:
        refused: by the old reader, by the new one.
        lines: makes the wrong lines, which are indented by two.
    """

    refused: tuple[bool, bool]
    lines: Callable[[Draw], str]


def _word(draw: Draw) -> str:
    return "".join(draw.choices("ghjkmpqs", k=draw.randint(1, 12)))


_ESCAPES: Final = (
    "\\q",
    "\\x1",
    "\\u12 ",
    "\\U0011 ",
    "\\'",
    "\\-",
    "\\ud800",
    "\\uDFFF",
    "\\uD83C\\uDCCF",
    "\\U0000D800",
)

KINDS: Final[dict[str, Kind]] = {
    "a single quote that is not closed": Kind(BOTH, lambda draw: f"  {_word(draw)}: '{_word(draw)}\n"),
    "a double quote that is not closed": Kind(BOTH, lambda draw: f'  {_word(draw)}: "{_word(draw)}\n'),
    "a quote of an item that is not closed": Kind(BOTH, lambda draw: f"  {_word(draw)}:\n  - '{_word(draw)}\n"),
    "a quote that ends in an escape": Kind(BOTH, lambda draw: f'  {_word(draw)}: "{_word(draw)}\\"\n'),
    "braces that are not closed": Kind(BOTH, lambda draw: f"  {_word(draw)}: {{x: 1, y: {draw.randint(0, 9)}\n"),
    "brackets that are not closed": Kind(BOTH, lambda draw: f"  {_word(draw)}: [{{x: 1}}, {{x: 2}}\n"),
    "a reference that is not closed": Kind(BOTH, lambda draw: f"  {_word(draw)}: {{fileID: {draw.randint(1, 99)}\n"),
    "an unknown escape": Kind(
        BOTH, lambda draw: f'  {_word(draw)}: "{_word(draw)}{draw.choice(_ESCAPES)}{_word(draw)}"\n'
    ),
    "a line without a key": Kind(BOTH, lambda draw: f"  {_word(draw)}: 1\n  {_word(draw)}\n"),
    "two words without a key": Kind(BOTH, lambda draw: f"  {_word(draw)}: {{x: 1}}\n  {_word(draw)} {_word(draw)}\n"),
    "a quoted line without a key": Kind(BOTH, lambda draw: f'  {_word(draw)}: 1\n{draw.choice(("", "  "))}""\n'),
    "an item below a value": Kind(BOTH, lambda draw: f"  {_word(draw)}: 1\n  - {_word(draw)}\n"),
    "an item behind a mapping": Kind(BOTH, lambda draw: f"  {_word(draw)}:\n    a: 1\n  - {_word(draw)}\n"),
    "a column that nothing opened": Kind(BOTH, lambda draw: f"  {_word(draw)}:\n      a: 1\n    {_word(draw)}: 2\n"),
    "a key that is too deep": Kind(BOTH, lambda draw: f"  {_word(draw)}: {{x: 1}}\n    {_word(draw)}: 2\n"),
    "a wrapped line that ends in a colon": Kind(
        BOTH, lambda draw: f"  {_word(draw)}: {_word(draw)}\n    {_word(draw)}:\n"
    ),
    "text behind braces": Kind(BOTH, lambda draw: f"  {_word(draw)}: {{x: 1}}{draw.choice(('', ' '))}{_word(draw)}\n"),
    "braces without a comma": Kind(BOTH, lambda draw: f"  {_word(draw)}: {{x: {{a: 1}} {_word(draw)}: 2}}\n"),
    "a second head": Kind(BOTH, lambda draw: f"  {_word(draw)}: 1\n{_HEAD}"),
    "a conflict": Kind(BOTH, lambda _: "<<<<<<< HEAD\n  a: 1\n=======\n  a: 2\n>>>>>>> theirs\n"),
    "a dash without its space": Kind((False, True), lambda draw: f"  {_word(draw)}:\n  -\n  - {_word(draw)}\n"),
    "a blob that is joined": Kind(
        (False, True), lambda draw: f'  {_word(draw)}: "00ff\\\n    {draw.randint(10, 99)}"\n'
    ),
    "text behind a quote": Kind((True, False), lambda draw: f"  {_word(draw)}: '{_word(draw)}' {_word(draw)}\n"),
    "a colon in a text": Kind((True, False), lambda draw: f"  {_word(draw)}: {_word(draw)}: {_word(draw)}\n"),
    "a colon in a wrapped text": Kind(
        (True, False), lambda draw: f"  {_word(draw)}: a\n    {_word(draw)}: {_word(draw)}\n"
    ),
    "a control character": Kind((True, False), lambda draw: f"  {_word(draw)}: a{draw.choice(_CONTROLS)}b\n"),
    "no UTF-8": Kind((True, False), lambda draw: f"  {_word(draw)}: {_word(draw)}\udcff\n"),
    "nothing wrong": Kind((False, False), lambda draw: f"  {_word(draw)}:\n  - a: {{x: 1, y: -2}}\n    b: []\n  - \n"),
}
RANDOM: Final = "random bytes"


class Case(NamedTuple):
    """A damaged document, and the version that reads it."""

    kind: str
    libyaml: bool
    data: bytes


def sound_lines(draw: Draw, era: str) -> str:
    """Return lines as Unity writes them."""
    rows = []
    for _ in range(draw.randint(0, 6)):
        key = _word(draw)
        text = " ".join(draw.choices(_WORDS, k=draw.choice((1, 1, 2, 30))))
        rows.append(
            draw.choice(
                (
                    f"  {key}: {written(text, len(key) + 4, 4, era)}\n",
                    f"  {key}: {{fileID: {draw.randint(0, 9)}, guid: {draw.randbytes(16).hex()},\n    type: 3}}\n",
                    f"  {key}:\n  - first: 1\n    second:\n      third: {draw.random():.3f}\n  - first: -1\n",
                    f"  {key}:\n    x: []\n    y: {{}}\n",
                )
            )
        )
    return "".join(rows)


def cases(count: int, seed: int) -> list[Case]:
    """Return damaged documents, the same ones for the same seed."""
    draw = random.Random(seed)
    found = []
    for number in range(count):
        kind = draw.choice((*KINDS, RANDOM))
        libyaml = number % 2 == 0
        era = OLD if libyaml else NEW
        wrong = "" if kind == RANDOM else KINDS[kind].lines(draw)
        body = f"MonoBehaviour:\n  m_Name: {_word(draw)}\n{sound_lines(draw, era)}{wrong}{sound_lines(draw, era)}"
        data = f"{_HEAD}--- !u!114 &{_OWN}\n{body}".encode("utf-8", "surrogateescape")
        if kind == RANDOM:
            start = data.index(b"  m_Name")
            data = data[:start] + damage(data[start:], draw, [data])
        found.append(Case(kind, libyaml, data))
    return found


def is_reported(case: Case) -> bool:
    """Whether ``check`` calls the object broken, or an unresolved merge, which has a code of its own."""
    if conflict_line(case.data):
        return True
    after = case.data.find(b"\n--- ", case.data.index(b"\n--- ") + 1)  # damage may have made another object
    end = after if after >= 0 else len(case.data)
    faults = find_faults(case.data, Judge(libyaml=case.libyaml))
    return any(fault.code == BROKEN_ASSET and fault.offset < end for fault in faults)


def is_refused(case: Case) -> bool:
    """Whether ``get`` calls the object damaged."""
    item = TextObjects(case.data).objects[_OWN]
    if any(row.is_certain for row in Judge(libyaml=case.libyaml).of_object(item.class_id, item.body)):
        return True
    try:
        read_values(item.body)
    except FormatError:
        return True
    return False


def run(count: int, seed: int, examples: int = 0) -> tuple[Counter[str], list[Case]]:
    """Return counts, and the cases that are wrong."""
    counts: Counter[str] = Counter()
    wrong = []
    for case in cases(count, seed):
        reported, refused = is_reported(case), is_refused(case)
        expected = KINDS[case.kind].refused[0 if case.libyaml else 1] if case.kind != RANDOM else None
        counts["documents"] += 1
        counts["disagreements"] += reported != refused
        counts["refused by the rules"] += expected is True
        counts["of these found"] += expected is True and reported
        counts["not refused by the rules"] += expected is False
        counts["of these reported"] += expected is False and reported
        if reported != refused or expected not in (None, reported):
            wrong.append(case)
    for case in wrong[:examples]:
        print(f"{case.kind}, {'up to 2019.2' if case.libyaml else 'from 2019.3 on'}: {case.data[len(_HEAD) :]!r}")
    return counts, wrong


@script(__doc__, count=10_000, seed=1, examples=5)
def main(given: Given) -> bool:
    """Print counts; fail where the commands disagree or too few are found."""
    counts, _ = run(given.count, given.seed, given.examples)
    for name, count in counts.items():
        print(f"{count:>8,} {name}")
    too_few = counts["of these found"] < _LEAST * counts["refused by the rules"]
    return too_few or bool(counts["disagreements"] or counts["of these reported"])
