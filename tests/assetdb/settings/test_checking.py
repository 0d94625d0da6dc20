"""``[check]`` of ``assetdb.toml``, and what is said where it is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ConfigurationError
from assetdb.settings.checking import CheckConfiguration, known_codes
from assetdb.settings.configuration import read_configuration
from assetdb.settings.project import CONFIGURATION_NAME

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """
out-dir = "Build"

[check]
select = ["missing-script", "All"]
ignore = ["stale-override", "stale-override"]
baseline = "debt.json"

[check.per-path-ignores]
"Assets/Plugins/" = ["all"]
"*.unity" = ["dangling"]

[check.severity]
empty-asset = "error"
binary-asset = "warning"
"""


def test_everything_that_it_may_say(tmp_path: Path) -> None:
    (tmp_path / CONFIGURATION_NAME).write_text(WHOLE)
    found = read_configuration(str(tmp_path))
    assert found.out_dir == "Build"
    assert found.check == CheckConfiguration(
        ("missing-script", "all"),
        ("stale-override",),
        (("Assets/Plugins/", ("all",)), ("*.unity", ("dangling",))),
        (("empty-asset", "error"), ("binary-asset", "warning")),
        "debt.json",
    )
    (tmp_path / CONFIGURATION_NAME).write_text('out-dir = "Build"\n')
    assert read_configuration(str(tmp_path)).check is None
    (tmp_path / CONFIGURATION_NAME).write_text("[check]\n")
    assert read_configuration(str(tmp_path)).check == CheckConfiguration()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'select = ["missing-scrpt"]',
            r"check\.select: there is no code 'missing-scrpt'; did you mean 'missing-script'\?",
        ),
        ('selct = ["dangling"]', r"there is no key 'selct' .*; did you mean 'select'\?"),
        ("per_path_ignores = {}", r"did you mean 'per-path-ignores'\?"),
        ('select = "dangling"', r"check\.select is 'dangling': it must be a list of codes"),
        ("ignore = [3]", r"check\.ignore is \[3\]: it must be a list of codes"),
        ("baseline = 3", r"check\.baseline is 3: it must be a path inside the project"),
        ('severity = {dangling = "fatal"}', r"check\.severity\.dangling is 'fatal': it must be error, warning, note"),
        ('severity = {danglin = "error"}', r"check\.severity: there is no code 'danglin'; did you mean 'dangling'\?"),
        ('severity = {all = "error"}', r"check\.severity: there is no code 'all'"),
        ('severity = "error"', r"check\.severity is 'error': it must be a table"),
        ('per-path-ignores = {"Assets/" = ["danglin"]}', r"there is no code 'danglin'; did you mean 'dangling'\?"),
        ('per-path-ignores = {"\\\\" = ["all"]}', r"is not a valid pattern"),
        ('restored = "Packages/"', r"check\.restored is 'Packages/': it must be a list of patterns"),
        ("restored = [3]", r"check\.restored has 3: it must be a pattern"),
        ('restored = ["!"]', r"check\.restored: '!' is not a valid pattern"),
        (
            "[check.per-path-ignores]\n" + "".join(f'"x{number}" = ["all"]\n' for number in range(1001)),
            r"check\.per-path-ignores has 1,001 patterns, and at most 1,000 are tried",
        ),
        (f"restored = {['x'] * 1001}", r"check\.restored has 1,001 patterns, and at most 1,000 are tried"),
    ],
)
def test_what_is_wrong_is_said_with_what_was_meant(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / CONFIGURATION_NAME
    path.write_text(f"[check]\n{text}\n")
    with pytest.raises(ConfigurationError, match=message) as caught:
        read_configuration(str(tmp_path))
    assert str(caught.value).startswith(f"{path}: ")


def test_a_thousand_patterns_are_tried(tmp_path: Path) -> None:
    rows = "".join(f'"x{number}" = ["all"]\n' for number in range(1000))
    (tmp_path / CONFIGURATION_NAME).write_text(f"[check]\n[check.per-path-ignores]\n{rows}")
    found = read_configuration(str(tmp_path)).check
    assert found is not None
    assert len(found.per_path_ignores) == 1000


def test_it_is_a_table(tmp_path: Path) -> None:
    (tmp_path / CONFIGURATION_NAME).write_text("check = 3\n")
    with pytest.raises(ConfigurationError, match="check is 3: it must be a table"):
        read_configuration(str(tmp_path))


def test_codes_are_forgiven_their_case() -> None:
    assert known_codes("--select", [" Dangling ", "ALL", "dangling"]) == ("dangling", "all")
