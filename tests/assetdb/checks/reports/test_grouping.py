"""Findings with one cause are one group, and the groups of each kind take turns."""

from __future__ import annotations

import pytest

from assetdb.checks.findings.finding import Finding
from assetdb.checks.reports.grouping import Causes, Group, by_severity, grouped, ranked, worst_first

LOST = Finding("missing-asset", "error", "Assets/a.prefab", "no asset has it", 3, "Body", "m_Mesh", "", 5, "one:2")
LATE = Finding("stale-field", "warning", "Assets/b.asset", "has no field x")
POINTER = Finding("lfs-pointer", "warning", "Assets/c.png", "is a pointer")
GONE = "overrides object 7 of Assets/Old/Door.prefab, which no longer exists"
OVER = Finding("stale-override", "warning", "Assets/d.unity", GONE, 9, "Hall", "m_Name", "", 40, "two:7")


def several(finding: Finding, count: int) -> list[Finding]:
    """Return findings of one cause, of a file each."""
    return [finding._replace(path=f"Assets/{number}.prefab") for number in range(count)]


def sizes(groups: list[Group]) -> list[tuple[str, int, bool]]:
    return [(group.first.code, len(group.findings), group.is_instance) for group in groups]


def test_errors_come_first_and_keep_their_order() -> None:
    second = LOST._replace(path="Assets/z.prefab")
    assert worst_first([LATE, second, POINTER, LOST]) == [second, LOST, LATE, POINTER]
    note = LATE._replace(severity="note")
    assert worst_first([note, LATE, LOST]) == [LOST, LATE, note]
    assert list(by_severity([note, LATE, second, LOST])) == [[second, LOST], [LATE], [note]]
    assert list(by_severity([])) == [[], [], []]


def test_the_first_note_of_a_code_follows_all_warnings() -> None:
    warnings = [LATE._replace(path=f"Assets/{n}.prefab", target=f"{n}:1") for n in range(3)]
    note = LATE._replace(code="lost-value", severity="note")
    groups = grouped([note, *warnings, LOST])
    assert [groups[number].first.severity for number in ranked(groups)] == ["error", *["warning"] * 3, "note"]


@pytest.mark.parametrize(("count", "expected"), [(1, [1]), (3, [1, 1, 1]), (4, [4])])
def test_more_than_three_findings_of_one_target_are_a_group_whatever_its_object(
    count: int, expected: list[int]
) -> None:
    rows = [LOST._replace(path=f"Assets/{n}.prefab", target=f"one:{n}", message=f"{n}") for n in range(count)]
    assert [len(group.findings) for group in grouped(rows)] == expected


@pytest.mark.parametrize(("few", "expected"), [(2, [3]), (3, [1, 1, 1])])
def test_how_many_are_few_may_be_given(few: int, expected: list[int]) -> None:
    assert [len(group.findings) for group in grouped(several(LOST, 3), few=few)] == expected


@pytest.mark.parametrize(
    "other",
    [
        LOST._replace(code="dangling"),
        LOST._replace(severity="warning"),
        LOST._replace(target="other:2"),
        LOST._replace(target="", message="something else"),
    ],
)
def test_another_code_severity_or_target_is_another_cause(other: Finding) -> None:
    assert [len(group.findings) for group in grouped([*several(LOST, 4), other])] == [4, 1]


def test_without_a_target_the_message_is_the_cause() -> None:
    assert sizes(grouped([*several(LATE, 4), LATE._replace(message="has no field y")])) == [
        ("stale-field", 4, False),
        ("stale-field", 1, False),
    ]


def test_a_group_takes_the_place_of_its_first_finding() -> None:
    found = grouped([LATE, *several(LOST, 4), POINTER])
    assert sizes(found) == [("missing-asset", 4, False), ("stale-field", 1, False), ("lfs-pointer", 1, False)]


def test_overrides_of_one_instance_are_a_group_however_few() -> None:
    beside = OVER._replace(anchor=41)
    elsewhere = OVER._replace(path="Assets/e.unity")
    found = grouped([OVER, beside, OVER._replace(target="two:8"), elsewhere])
    assert sizes(found) == [("stale-override", 2, True), ("stale-override", 1, True), ("stale-override", 1, True)]


@pytest.mark.parametrize(
    "other",
    [
        OVER._replace(anchor=0),
        OVER._replace(target=""),
        OVER._replace(message="overrides object 7"),
        OVER._replace(message="refers to object 7, which no longer exists"),
    ],
)
def test_a_finding_without_anchor_target_or_the_message_of_overrides_is_none(other: Finding) -> None:
    assert sizes(grouped([other, other])) == [("stale-override", 1, False)] * 2


@pytest.mark.parametrize(
    ("group", "text"),
    [
        (Group((LOST,), is_instance=False), "Body: m_Mesh: no asset has it"),
        (Group((LOST, LOST), is_instance=False), "Body: m_Mesh: no asset has it (2 like this in this file)"),
        (
            Group((LOST, LOST._replace(path="Assets/z.prefab"), LOST), is_instance=False),
            "Body: m_Mesh: no asset has it (3 like this in 2 files)",
        ),
        (Group((OVER,), is_instance=True), OVER.text),
        (
            Group((OVER, OVER._replace(target="two:8"), OVER), is_instance=True),
            "Hall: 3 overrides of 2 gone objects of Door.prefab",
        ),
        (
            Group(
                (OVER._replace(object_path="", message=OVER.message.replace("Assets/Old/", "")),) * 2, is_instance=True
            ),
            "2 overrides of 1 gone object of Door.prefab",
        ),
        (
            Group((OVER._replace(message="overrides object 7, which no longer exists"),) * 2, is_instance=True),
            "Hall: 2 overrides of 1 gone object",
        ),
        (Group((POINTER,), is_instance=False), "is a pointer"),
        (Group((POINTER,) * 2, is_instance=False), "2 files are Git LFS pointers: git lfs pull"),
        (
            Group((POINTER, POINTER._replace(target="t")), is_instance=False),
            "1 file is a Git LFS pointer, 1 reference leads to Git LFS pointers: git lfs pull",
        ),
        (
            Group((POINTER._replace(target="t"), POINTER._replace(target="u")), is_instance=False),
            "2 references lead to Git LFS pointers: git lfs pull",
        ),
    ],
)
def test_the_text_of_a_group_has_its_message_and_counts(group: Group, text: str) -> None:
    assert group.text == text


def test_all_pointers_are_one_cause() -> None:
    rows = [POINTER._replace(path=f"Assets/{n}.png", target="t" * n, message=str(n)) for n in range(4)]
    assert sizes(grouped(rows)) == [("lfs-pointer", 4, False)]


def test_the_first_of_each_code_comes_before_the_second_of_any() -> None:
    one, two = LOST, LOST._replace(path="Assets/z.prefab")
    other = LOST._replace(code="dangling", path="Assets/q.prefab")
    groups = [Group((row,), is_instance=False) for row in (one, two, other)]
    assert ranked(groups) == [0, 2, 1]


def test_the_first_of_each_file_comes_before_its_second() -> None:
    rows = [LOST, LOST, LOST, LOST._replace(path="Assets/z.prefab")]
    assert ranked([Group((row,), is_instance=False) for row in rows]) == [0, 3, 1, 2]


def test_errors_come_before_the_second_warning_of_a_code_and_not_before_the_first() -> None:
    rows = [LATE, LATE._replace(path="Assets/y.asset"), LOST, LOST]
    assert ranked([Group((row,), is_instance=False) for row in rows]) == [0, 2, 3, 1]
    assert ranked([]) == []


def test_causes_that_are_known_are_grouped_more_than_once() -> None:
    causes = Causes([LATE, *several(LOST, 5), OVER])
    for few in (9, 3):
        assert causes.groups(few) == grouped([LATE, *several(LOST, 5), OVER], few=few)


def test_causes_of_one_file_each_but_for_pointers() -> None:
    rows = [
        Finding(code, "error", f"Assets/{number % 2}.mat", "x", target="1" * 32)
        for code in ("dangling", "lfs-pointer")
        for number in range(8)
    ]
    together = [len(group.findings) for group in Causes(rows).groups()]
    by_file = [len(group.findings) for group in Causes(rows, by_file=True).groups()]
    assert (together, by_file) == ([8, 8], [4, 4, 8])
