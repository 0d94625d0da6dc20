"""Codes, places and weights: what of all findings is wanted."""

from __future__ import annotations

import pytest

from assetdb.checks.findings.finding import Finding
from assetdb.checks.findings.selection import Selection, within
from assetdb.diagnostics.codes import CODES, OFF
from assetdb.errors import UsageError

OFF_CODES = {name for name, code in CODES.items() if code.severity == OFF}


def found(code: str, path: str = "Assets/A.prefab") -> Finding:
    return Finding(code, CODES[code].severity, path, "is wrong")


def test_by_default_all_that_is_not_off() -> None:
    assert set(Selection().codes()) == CODES.keys() - OFF_CODES
    assert set(Selection(select=("all",)).codes()) == CODES.keys()
    assert list(Selection().codes()) == sorted(Selection().codes())


def test_selected_ignored_and_switched_off() -> None:
    assert Selection(select=("dangling", "binary-asset")).codes() == ("binary-asset", "dangling")
    assert Selection(select=("dangling", "binary-asset"), ignore=("dangling",)).codes() == ("binary-asset",)
    assert Selection(ignore=("all",)).codes() == ()
    assert "dangling" not in Selection(severities={"dangling": "off"}).codes()
    assert "binary-asset" in Selection(severities={"binary-asset": "error"}).codes()


def test_what_is_selected_by_name_is_never_off() -> None:
    selection = Selection(select=("dangling", "binary-asset"), severities={"dangling": "off"})
    assert [row.severity for row in selection.chosen([found("dangling"), found("binary-asset")])] == ["warning"] * 2
    selection = Selection(severities={"dangling": "warning", "stale-override": "error"})
    assert [row.severity for row in selection.chosen([found("dangling"), found("stale-override")])] == [
        "warning",
        "error",
    ]


def test_a_finding_milder_than_its_code_stays_so_unless_the_code_is_configured() -> None:
    note = found("lost-value")._replace(severity="note")
    assert [row.severity for row in Selection().chosen([note, found("lost-value")])] == ["note", "warning"]
    for severity in ("error", "warning", "note"):
        selection = Selection(severities={"lost-value": severity})
        assert [row.severity for row in selection.chosen([note, found("lost-value")])] == [severity] * 2


def test_places_that_are_left_out() -> None:
    rules = (("Assets/Plugins/", ("all",)), ("*.unity", ("stale-override", "dangling")), ("/Assets/A.prefab", ()))
    rows = [
        found("dangling", "Assets/Plugins/x/A.prefab"),
        found("dangling", "Assets/B/C.unity"),
        found("missing-asset", "Assets/B/C.unity"),
        found("dangling", "Assets/A.prefab"),
        found("dangling", "Assets/Other/Plugins/A.prefab"),
    ]
    assert list(Selection(per_path_ignores=rules).chosen(rows)) == rows[2:]
    with pytest.raises(UsageError, match="is not a valid pattern"):
        list(Selection(per_path_ignores=(("\\", ("all",)),)).chosen(rows))


@pytest.mark.parametrize(
    ("paths", "inside"),
    [
        ((), "abcdef"),
        (("",), "abcdef"),
        ((".",), "abcdef"),
        (("Assets/Art",), "abc"),
        (("Assets/Art/",), "abc"),
        (("Assets/Art/Sky.png",), "ab"),
        (("Assets/Ar",), ""),
        (("*.unity",), "e"),
        (("Assets/**/*.png",), "ad"),
        (("Assets/*.png",), "d"),
        (("Assets/[BS]*",), "de"),
        (("Assets/Art/Sky.png.meta", "ProjectSettings"), "bf"),
    ],
)
def test_paths_are_files_folders_and_patterns(paths: tuple[str, ...], inside: str) -> None:
    rows = dict(
        zip(
            "abcdef",
            [
                *("Assets/Art/Sky.png", "Assets/Art/Sky.png.meta", "Assets/Art.meta"),
                *("Assets/Sky.png", "Assets/B/C.unity", "ProjectSettings/EditorSettings.asset"),
            ],
            strict=True,
        )
    )
    fits = within(paths)
    assert "".join(key for key, path in rows.items() if fits(path)) == inside
