"""``assetdb.toml``: its keys, defaults and errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ConfigurationError
from assetdb.settings.configuration import Configuration, excluder, read_configuration
from assetdb.settings.project import LARGEST_CONFIGURATION
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

KEYS = "(keys are out-dir, scrub-characters, exclude, check-stat, check, rule, budget, merge)"


def configuration(root: Path, text: str | bytes) -> Configuration:
    (root / "assetdb.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_configuration(str(root))


def test_every_key_is_read(tmp_path: Path) -> None:
    text = 'out-dir = "Build"\nscrub-characters = "/|"\nexclude = ["a", "b/"]\ncheck-stat = "minimal"\n[check]\n'
    found = configuration(tmp_path, text)
    assert found[:4] == ("Build", "/|", ("a", "b/"), "minimal")
    assert found.check is not None


@pytest.mark.parametrize("text", [None, "", "# nothing\n", b"\xef\xbb\xbf"])
def test_what_is_not_given_has_a_default(tmp_path: Path, text: str | bytes | None) -> None:
    found = read_configuration(str(tmp_path)) if text is None else configuration(tmp_path, text)
    assert found == Configuration("", "", (), "", None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("out-dir = 5\n", f"Expected `str`, got `int` - at `$.out-dir` {KEYS} (line 1)"),
        ("other = 5\n", f"Object contains unknown field `other` {KEYS} (line 1)"),
        ("out-dir", "(at end of document)"),
        (b"\xff", "invalid start byte"),
        ('check-stat = "most"\n', "check-stat: 'most' is not one of default, minimal (line 1)"),
        ("check = 5\n", ""),
        (f"budget = {{build = [{{a = 0x{'f' * 5000}}}]}}\n", "a number has more than 64 bits"),
    ],
)
def test_what_is_wrong_is_told_with_the_file(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        configuration(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path / 'assetdb.toml'}: ")
    assert str(error.value).endswith(message)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# a comment\nexclude = " + "[" * 50_000, 2),
        ("exclude = [\n" + "[\n" * 50_000 + "]\n" * 50_000 + "]\n", 50_001),  # where the innermost begins
        ("exclude = " + "[" * 9_000 + "]" * 9_000 + "\nother = " + "[]," * 20_000, 1),  # more brackets, not deeper
        ('a = "' + "[" * 20_000 + "\"\nb = '" + "[" * 20_000 + "'\nexclude = " + "[" * 9_000, 3),
        ('a = """\n\n\\"""' + "[" * 20_000 + "\"\"\"\nb = '''\n['''\nexclude = " + "[" * 9_000, 6),
        ("# " + "[" * 20_000 + "\nexclude = " + "[" * 9_000, 2),
        ('a = "\\"' + "[" * 20_000 + '"\nexclude = ' + "{a = " * 9_000, 2),
    ],
)
def test_what_is_nested_too_deeply_names_the_line_of_the_deepest(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(ConfigurationError) as error:
        configuration(tmp_path, text)
    assert str(error.value) == f"{tmp_path / 'assetdb.toml'}: its values are nested too deeply (line {line})"


@pytest.mark.parametrize(("more", "fits"), [(0, True), (1, False)])
def test_a_file_that_is_too_large_is_an_error(tmp_path: Path, more: int, fits: bool) -> None:  # noqa: FBT001 - a row
    text = b"#" * (LARGEST_CONFIGURATION + more)
    if fits:
        assert configuration(tmp_path, text) == Configuration()
    else:
        with pytest.raises(ConfigurationError, match=r"assetdb\.toml"):
            configuration(tmp_path, text)


def test_what_is_no_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "assetdb.toml").mkdir()
    with pytest.raises(ConfigurationError, match=r"assetdb\.toml"):
        read_configuration(str(tmp_path))


@needs_links
def test_a_file_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "assetdb.toml").symlink_to("assetdb.toml")
    with pytest.raises(ConfigurationError, match=r"assetdb\.toml: Too many levels of symbolic links"):
        read_configuration(str(tmp_path))


def test_paths_are_excluded_as_git_ignores_them() -> None:
    assert excluder(()) is None
    excluded = excluder(("*.tmp", "/Assets/Gen/", "!kept.tmp"))
    assert excluded is not None
    paths = ("Assets/a.tmp", "Assets/Gen/x.cs", "Assets/Deep/Assets/Gen/x.cs", "Assets/kept.tmp", "Assets/a.cs")
    assert list(map(excluded, paths)) == [True, True, False, False, False]
    with pytest.raises(ConfigurationError, match=r"^assetdb\.toml: exclude: '!' is not a valid pattern"):
        excluder(("a", "!"))


def test_patterns_are_tried_on_each_path_so_their_number_has_a_bound() -> None:
    assert excluder(("*.tmp",) * 1000) is not None
    with pytest.raises(ConfigurationError, match=r"^assetdb\.toml: exclude: has 50,000 patterns, and at most 1,000"):
        excluder(tuple(f"Assets/{number}.tmp" for number in range(50_000)))
