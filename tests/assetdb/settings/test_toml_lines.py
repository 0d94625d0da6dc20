"""Lines of a configuration that messages name."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ConfigurationError
from assetdb.settings.configuration import read_configuration
from assetdb.settings.toml_lines import line_of

if TYPE_CHECKING:
    from pathlib import Path

RULES = '[[rule]]\npaths = "A/**"\nmax-size = 5\n\n  [[ rule ]]  # of the artists\npaths = "A"\n"max-siz" = 1\n'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (RULES, 7),
        ('[[rule]]\nname = "T_*"\n', 1),  # it has no paths
        ('out-dir = 5\n[check]\nselect = ["missing-asset"]\n', 1),
        ('out-dir = "x"\n\noutdir = "y"\n', 3),
        ('check-stat = "most"\n', 1),
        ("[check]\nignore = []\nselct = []\n", 3),
        ('[check]\nignore = []\n[check.severity]\nmissing-asset = "loud"\n', 4),
        ('[merge]\nours = ["*.mat"]\ntheirs = 5\n', 3),
        ("[merge]\nmine = []\n", 2),
        ('[[rule]]\npaths = "A"\nmax-size = "2 parsec"\n', 3),
        ('[budget]\nbuild = "1 MibiByte"\n', 2),
        ('[[rule]]\nname = "T_*"\npaths = "name/[a"\n', 3),
        ("[check]\nselect = []\nselct = []\n", 3),  # did you mean select?
        ('exclude = []\n\n[rule]\npaths = "Assets/**"\n', 3),
        ('[budget]\nbuild = 1\n[budget.bundle]\n"ui_*" = "4 XB"\nbe = "4 MB"\n', 4),
        ("[budget.bundle]\n'*' = '4 MB'\n[budget.folder]\n'*' = '4 XB'\n", 4),
        ("[check.per-path-ignores]\n'*.mat' = ['all']\n'*.png' = ['no-such-code']\n", 3),
        ("# of\u2028art\n[budget]\nbuild = 'x'\n", 3),
    ],
)
def test_a_wrong_value_is_told_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "assetdb.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=rf"\(line {line}\)$"):
        read_configuration(str(tmp_path))


@pytest.mark.parametrize(
    "text",
    [
        'a = """\n[[rule]]\n"""\n[[rule]]\nnmae = 1\n',  # which of the two lines begins a rule?
        "rule = [{nmae = 1}]\n",
        "",
    ],
)
def test_a_form_that_is_not_understood_has_no_line(text: str) -> None:
    assert line_of(text, "rule 1: there is no key 'nmae'") == 0


def test_lines_with_a_mark_in_front_and_other_ends(tmp_path: Path) -> None:
    (tmp_path / "assetdb.toml").write_bytes(b"\xef\xbb\xbf[check]\r\nselct = []\r\n")
    with pytest.raises(ConfigurationError, match=r"\(line 2\)$"):
        read_configuration(str(tmp_path))


def test_a_message_with_a_long_value_among_many_keys_comes_at_once() -> None:
    keys = "".join(f"k{number} = 1\n" for number in range(5000))
    message = f"check-stat: '{'a' * 500_000}' is not one of"
    start = time.perf_counter()
    assert line_of(f"{keys}check-stat = 'x'\n", message) == 5001
    assert time.perf_counter() - start < 5.0  # a search of the whole message for each key took 74 s
