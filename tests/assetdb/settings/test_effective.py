"""Settings that a database depends on: where they come from, and when two are of the same facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ProjectError
from assetdb.settings.effective import (
    Settings,
    read_settings,
    refuse_another_project,
    refuse_folder_of,
    same_facts,
    same_facts_elsewhere,
    same_root,
    with_root_of,
)

if TYPE_CHECKING:
    from pathlib import Path

BASE = Settings("/p", "/p/out", "#", strict_names=False, check_stat="default", exclude=("a", "b"))


def make(root: Path, toml: str = "") -> Path:
    for name in ("Assets", "ProjectSettings"):
        (root / name).mkdir(parents=True)
    if toml:
        (root / "assetdb.toml").write_text(toml)
    return root


def test_arguments_come_before_the_users_settings_and_the_projects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make(tmp_path / "P", 'out-dir = "Build"\nscrub-characters = "#"\nexclude = ["x"]\ncheck-stat = "minimal"\n')
    found = read_settings(root)
    assert found == Settings(str(root), str(root / "Build"), "#", False, "minimal", ("x",))  # noqa: FBT003 - as it is read
    given = read_settings(root, tmp_path / "out", scrub_characters="|", strict_names=True, check_stat="default")
    assert given == Settings(str(root), str(tmp_path / "out"), "|", True, "default", ("x",), True)  # noqa: FBT003 - the same
    assert read_settings(root, follow_links=True).follow_links
    home = tmp_path / "config"
    (home / "assetdb").mkdir(parents=True)
    (home / "assetdb/config.toml").write_text('check-stat = "default"\nfollow-links = true\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    own = read_settings(root)
    assert (own.check_stat, own.follow_links) == ("default", True)


def test_without_settings_there_are_defaults(tmp_path: Path) -> None:
    found = read_settings(make(tmp_path / "P"))
    assert (found.scrub_characters, found.strict_names, found.check_stat, found.exclude) == ("", False, "default", ())
    assert (found.given, found.follow_links) == (False, False)


def test_a_name_is_scrubbed_before_the_callers_function() -> None:
    assert BASE._replace(scrub_characters="").sanitizer() is None
    scrub = BASE._replace(scrub_characters="#|").sanitizer()
    assert scrub is not None
    assert (scrub("a#b|c"), scrub("plain"), scrub("")) == ("a_b_c", None, None)
    seen = []

    def own(name: str) -> str | None:
        seen.append(name)
        return {"a_": "mine", "keep": None, "b_": "b#"}.get(name)

    both = BASE.sanitizer(own)
    assert both is not None
    assert (both("a#"), both("keep"), both("x#"), both("b#")) == ("mine", None, "x_", None)
    assert seen == ["a_", "keep", "x_", "b_"]
    assert BASE._replace(scrub_characters="").sanitizer(own) is own


def test_naming_rules_of_an_earlier_bake_are_kept() -> None:
    packed = BASE._replace(strict_names=True, scrub_characters="|", given=True).packed()
    kept = BASE.named_as(packed)
    assert (kept.strict_names, kept.scrub_characters, kept.given) == (True, "|", True)
    own = BASE.named_as(BASE._replace(strict_names=True, scrub_characters="|").packed())
    assert (own.strict_names, own.scrub_characters, own.given) == (True, "#", False)
    given = BASE._replace(given=True)
    assert given.named_as(packed) is given
    assert BASE.named_as(b"") is BASE
    assert BASE.named_as(b"a\0b\0c") is BASE


@pytest.mark.parametrize(
    ("other", "facts", "elsewhere"),
    [
        (BASE, True, True),
        (BASE._replace(folder="/q"), True, True),
        (BASE._replace(scrub_characters="", strict_names=True, given=True), True, True),
        (BASE._replace(root="/q"), False, True),
        (BASE._replace(exclude=("a",)), False, False),
        (BASE._replace(check_stat="minimal"), False, False),
        (BASE._replace(follow_links=True), False, False),
    ],
)
def test_settings_that_give_the_same_facts(other: Settings, facts: bool, elsewhere: bool) -> None:  # noqa: FBT001 - a row
    one, two = BASE.packed(), other.packed()
    assert (same_facts(one, two), same_facts_elsewhere(one, two)) == (facts, elsewhere)
    assert same_root(one, two) is (other.root == "/p")
    assert with_root_of(two, one) == other._replace(root="/p").packed()


def test_the_folder_of_another_project_is_refused(tmp_path: Path) -> None:
    one, two = make(tmp_path / "One"), make(tmp_path / "Two")
    settings = read_settings(one, tmp_path / "out")
    other = read_settings(two, tmp_path / "out")
    with pytest.raises(ProjectError) as error:
        refuse_another_project(settings, other.packed())
    assert str(error.value) == (
        f"{tmp_path / 'out'} holds the database of {two}: name another folder for the database of {one}"
        " (--out-dir or ASSETDB_OUT_DIR)"
    )
    refuse_another_project(settings, settings.packed())
    refuse_another_project(settings, b"")
    refuse_another_project(settings, b"no settings")
    refuse_folder_of(str(tmp_path / "Gone"), settings)
    refuse_folder_of(str(two), settings._replace(folder=str(one / "Library")))  # it came with a copy
    refuse_folder_of("a\0b", settings)
