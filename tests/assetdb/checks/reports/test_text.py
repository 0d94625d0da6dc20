"""What people read: findings of a file together, what to do once, a summary."""

from __future__ import annotations

import pytest

from assetdb.checks.findings.finding import Finding
from assetdb.checks.reports import text
from assetdb.diagnostics.codes import CODES

ROWS = (
    Finding("empty-asset", "warning", "Assets/a.asset", "the file is empty"),
    Finding("missing-script", "error", "Assets/b.unity", "no script has the GUID", 7, "A / B (X)", "m_Script"),
    Finding("dangling", "error", "Assets/b.unity", "refers to nothing", 120),
    Finding("missing-meta", "error", "Assets/c.txt", "has no .meta", fixable=True),
)


SOURCE = "8f57b4a070f7b43bbb3925467e6752ab"


def overrides(instance: int, path: str = "Assets/Main.unity") -> list[Finding]:
    """Return four findings of two objects that the prefab of an instance has no more."""
    return [
        Finding(
            *("stale-override", "warning", path),
            f"overrides object {target} of Assets/UI/Popup.prefab, which no longer exists",
            *(10 * instance + number, f"Canvas / Popup {instance} (Prefab)"),
            f"m_Modification.m_Modifications[{number}].target = m_LocalPosition.x",
            *(SOURCE, instance, f"{SOURCE}:{target}"),
        )
        for number, target in enumerate((4, 4, 7, 7))
    ]


def test_errors_come_first_by_file_and_each_code_is_counted() -> None:
    assert list(text.lines(ROWS)) == [
        "Assets/b.unity",
        "    7  error  missing-script  A / B (X): m_Script: no script has the GUID",
        "  120  error  dangling        refers to nothing",
        "",
        "Assets/c.txt",
        "  error  missing-meta  has no .meta",
        "",
        "Assets/a.asset",
        "  warning  empty-asset  the file is empty",
        "",
        f"1  error    dangling        {CODES['dangling'].advice}",
        f"1  error    missing-meta    {CODES['missing-meta'].advice}",
        f"1  error    missing-script  {CODES['missing-script'].advice}",
        f"1  warning  empty-asset     {CODES['empty-asset'].advice}",
        "",
    ]
    assert list(text.lines(())) == []


def test_overrides_are_grouped_by_instance() -> None:
    found = list(text.lines([*overrides(1), *overrides(2)]))
    assert found[:4] == [
        "Assets/Main.unity",
        "  10  warning  stale-override  Canvas / Popup 1 (Prefab): 4 overrides of 2 gone objects of Popup.prefab",
        "  20  warning  stale-override  Canvas / Popup 2 (Prefab): 4 overrides of 2 gone objects of Popup.prefab",
        "",
    ]
    assert found[4].startswith("8  warning  stale-override  ")


def test_references_to_one_asset_are_grouped_over_files() -> None:
    rows = [Finding("dangling", "error", f"Assets/{n}.mat", "x is gone", target=f"{SOURCE}:1") for n in range(10, 50)]
    assert "  error  dangling  x is gone (40 like this in 40 files)" in list(text.lines(rows))
    assert [line for line in text.lines(rows[:8]) if line.endswith(".mat")] == [row.path for row in rows[:8]]


def test_pointers_of_git_lfs_are_one_line_with_the_references_to_them() -> None:
    files = [Finding("lfs-pointer", "warning", f"Assets/{n}.png", "a Git LFS pointer stands there") for n in range(40)]
    rows = [*files, Finding("lfs-pointer", "warning", "Assets/b.mat", "leads to a pointer", 3, target=f"{SOURCE}:1")]
    assert (
        "  warning  lfs-pointer  40 files are Git LFS pointers, 1 reference leads to Git LFS pointers: git lfs pull"
        in (list(text.lines(rows)))
    )
    assert "  warning  lfs-pointer  40 files are Git LFS pointers: git lfs pull" in list(text.lines(files))
    again = [row._replace(path=f"Assets/{n}.mat") for n, row in enumerate(rows[40:] * 40)]
    assert "  3  warning  lfs-pointer  40 references lead to Git LFS pointers: git lfs pull" in list(text.lines(again))


def test_every_finding_is_listed_where_all_are_wanted() -> None:
    rows = overrides(1) * 30
    listed = [line for line in text.lines(rows, text.Layout(every=True)) if "overrides object" in line]
    assert len(listed) == len(rows)


def test_many_findings_take_few_lines_and_hide_no_code() -> None:
    many = [Finding("dangling", "error", f"Assets/{n}.mat", f"refers to {n}", 3) for n in range(5_000)]
    rows = [*many, *ROWS, *overrides(1)]
    found = list(text.lines(rows))
    assert len(found) <= text.MOST_LINES
    shown = "\n".join(found[: found.index("")] + found)
    for code in ("dangling", "missing-script", "missing-meta", "empty-asset", "stale-override"):
        assert f"  {code}  " in shown
    left = next(line for line in found if line.startswith("and "))
    assert left.endswith("files (--verbose lists all)")
    assert any(line.startswith("5,001  error    dangling") for line in found)


def test_no_line_but_a_long_path_is_wider_than_the_terminal() -> None:
    rows = [*ROWS, *overrides(1), Finding("dangling", "error", "Assets/" + "deep/" * 40 + "a.mat", "word " * 60, 3)]
    for width in (60, 80, 132):
        for every in (False, True):
            found = list(text.lines(rows, text.Layout(width, every)))
            wide = [line for line in found if len(line) > width]
            assert all(" " not in line.strip() for line in wide)  # a word or path can be copied: it is never broken
            assert wide or not every
            assert len(found) <= text.MOST_LINES or every


@pytest.mark.parametrize(("line", "margin"), [(0, "  error  dangling  "), (7, "  7  error  dangling  ")])
def test_a_message_of_several_lines_is_aligned_and_fills_the_width(line: int, margin: str) -> None:
    finding = Finding("dangling", "error", "Assets/a.mat", "12345678 " * 40, line)
    found = list(text.lines([finding], text.Layout(len(margin) + 53)))
    assert found[1] == margin + " ".join(["12345678"] * 6)
    assert found[2] == " " * len(margin) + " ".join(["12345678"] * 6)


def test_what_is_painted_is_severity_code_and_path() -> None:
    found = list(text.lines(ROWS[:1], text.Layout(paint=lambda what, style: f"<{style}:{what}>")))
    assert found[:2] == ["<path:Assets/a.asset>", "  <warning:warning>  <type:empty-asset>  the file is empty"]


def test_a_summary_counts_errors_and_warnings() -> None:
    assert text.summary(ROWS) == "found 3 errors and 1 warning"
    assert text.summary(ROWS[:1]) == "found 1 warning"
    note = ROWS[0]._replace(severity="note")
    assert text.summary([note, *ROWS]) == "found 3 errors, 1 warning and 1 note"
    assert text.summary([note, note]) == "found 2 notes"
    assert text.summary(()) == "all checks passed"


def test_a_summary_counts_causes_where_the_text_groups_findings() -> None:
    lost = [Finding("missing-asset", "error", f"Assets/{n}.mat", "lost", n, target=f"{SOURCE}:{n}") for n in range(26)]
    assert text.summary(lost) == "found 26 errors of 1 cause"
    assert text.summary([*lost, ROWS[1], *overrides(1), *overrides(2)]) == (
        "found 27 errors of 2 causes and 8 warnings of 2 causes"
    )
    assert text.summary(lost[:3]) == "found 3 errors"  # few are listed one by one


def test_what_can_be_mended_is_said() -> None:
    assert text.fixable(ROWS) == "1 fixable with --fix"
    assert text.fixable([*ROWS, Finding("orphan-meta", "warning", "x", "y", fixable=True)]) == (
        "up to 2 fixable with --fix"
    )
    assert text.fixable(ROWS[:1]) == ""


def test_statistics_have_the_most_first() -> None:
    rows = [*ROWS, ROWS[3], ROWS[3]._replace(severity="warning")]
    assert [(row["code"], row["severity"], row["count"], row["fixable"]) for row in text.statistics(rows)] == [
        ("missing-meta", "error", 2, 2),
        ("dangling", "error", 1, 0),
        ("empty-asset", "warning", 1, 0),
        ("missing-meta", "warning", 1, 1),
        ("missing-script", "error", 1, 0),
    ]
