"""Rules of a team in assetdb.toml, and errors that say which rule is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ConfigurationError
from assetdb.settings.configuration import read_configuration
from assetdb.settings.team_rules import TeamRule, read_rules

if TYPE_CHECKING:
    from pathlib import Path


def test_rules_are_read(tmp_path: Path) -> None:
    (tmp_path / "assetdb.toml").write_text(
        '[[rule]]\npaths = "Assets/UI/*.png"\nname = "T_*"\nmax-size = "2 MB"\npower-of-two = true\nmipmaps = false\n'
        'readable = false\nsprite-mode = "single"\ncompression = {default = "normal", Android = "high"}\n'
        '[[rule]]\npaths = ["Assets/Old/"]\nonly-used-by = "Assets/Old/"\nforbid-usage-of = ["Assets/New/"]\n'
    )
    assert read_configuration(str(tmp_path)).rule == (
        TeamRule(
            ("Assets/UI/*.png",),
            "T_*",
            2_000_000,
            power_of_two=True,
            mipmaps=False,
            readable=False,
            sprite_mode="single",
            compression=(("default", "normal"), ("Android", "high")),
        ),
        TeamRule(("Assets/Old/",), forbid_usage_of=("Assets/New/",), only_used_by=("Assets/Old/",)),
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({}, "rule: it is no list of tables"),
        ([5], "rule: it is no list of tables"),
        ([{"path": "A"}], "rule 1: there is no key 'path'"),
        ([{"name": "A"}], "rule 1: it has no paths"),
        ([{"paths": "A"}], "rule 1: it demands nothing of A"),
        ([{"paths": "A", "name": "x"}, {"paths": 5, "name": "x"}], "rule 2: paths is 5"),
        ([{"paths": "!", "name": "x"}], "rule 1: paths: "),
        ([{"paths": "A", "max-size": "2 parsec"}], "rule 1: max-size is '2 parsec'"),
        ([{"paths": "A", "max-size": -1}], "rule 1: max-size is -1"),
        ([{"paths": "A", "max-size": True}], "rule 1: max-size is True"),
        ([{"paths": "A", "mipmaps": "no"}], "rule 1: mipmaps is 'no'"),
        ([{"paths": "A", "sprite-mode": "double"}], "rule 1: sprite-mode 'double' is not one of"),
        ([{"paths": "A", "compression": "best"}], "rule 1: compression is 'best'"),
        ([{"paths": "A", "compression": {"Android": ["low"]}}], "rule 1: compression is {'Android': ['low']}"),
        ([{"paths": "A", "name": ["x"]}], "rule 1: name is ['x']"),
        ([{"paths": "A", "name": "x"}] * 201, "there are 201 rules"),
        ([{"paths": "Assets/[a", "name": "x"}], "rule 1: paths: 'Assets/[a' has a [ without ]"),
        ([{"paths": ["A", "[!]", "B"], "name": "x"}], "rule 1: paths: '[!]' has a [ without ]"),
        ([{"paths": "A/[b/c]", "name": "x"}], "rule 1: paths: 'A/[b/c]' has a [ without ]"),
        ([{"paths": "A/[z-a].png", "name": "x"}], "has the range z-a, of no character"),
        ([{"paths": "A", "only-used-by": "B["}], "rule 1: only-used-by: 'B[' has a [ without ]"),
        ([{"paths": "A", "forbid-usage-of": "B/[^"}], "rule 1: forbid-usage-of: 'B/[^' has a [ without ]"),
        ([{"paths": "A", "name": "T_["}], "rule 1: name: 'T_[' has a [ without ]"),
        ([{"paths": "A", "name": "\\["}], "(the character itself is [[])"),
        ([{"paths": "# A", "name": "x"}], "rule 1: paths: '# A' is a comment or blank"),
        ([{"paths": ["A", " "], "name": "x"}], "rule 1: paths: ' ' is a comment or blank"),
        ([{"paths": ["!A", "!B"], "name": "x"}], "rule 1: paths: !A, !B leaves out files"),
    ],
)
def test_a_rule_that_is_wrong_is_named(rows: object, said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_rules(rows)
    assert said in str(caught.value)


@pytest.mark.parametrize("pattern", ["Assets/[ab]*", "A/\\[old", "[]]", "[!]a]x", "[a-c-]", "[--9]", "A]", "A/[[]b"])
def test_brackets_that_mean_something_are_taken(pattern: str) -> None:
    assert read_rules([{"paths": [pattern, "!B"], "name": pattern.replace("\\[", "[[]")}])[0].paths == (pattern, "!B")
