"""``[budget]`` of ``assetdb.toml``: limits as they are written, and what is none."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ConfigurationError
from assetdb.settings.budgets import Budget, Limit, read_budgets
from assetdb.settings.configuration import read_configuration

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "before", "allowed"),
    [
        ("40 MiB", 0, 40 * 1024 * 1024),
        ("40MiB", 7, 40 * 1024 * 1024),
        ("1.5 KiB", 0, 1536),
        ("2 MB", 0, 2_000_000),
        ("12", 0, 12),
        (12, 99, 12),
        (0, 99, 0),
        ("+500 KiB", 1000, 1000 + 500 * 1024),
        ("+2 %", 1050, 1071),
        ("+0%", 1050, 1050),
        ("+2 %", 10, 10),  # two tenths of a byte are none
        # Floating point numbers have no odd number from 2**53 on.
        ("+0 %", (1 << 53) + 1, (1 << 53) + 1),
        ("+100 %", (1 << 60) + 1, (1 << 61) + 2),
        ("+1", (1 << 53), (1 << 53) + 1),
    ],
)
def test_limits(text: object, before: int, allowed: int) -> None:
    (budget,) = read_budgets({"bundle": {"*": text}})
    assert budget.limit.allowed(before) == allowed


@pytest.mark.parametrize(
    "text",
    [
        "40 Mib",
        "40 XB",
        "2 %",
        "-1 MiB",
        -1,
        True,
        1.5,
        "",
        "MiB",
        "+",
        "1 2",
        "+2 %%",
        ["1"],
        "9" * 16,
        "1e3",
        "\u0661 KiB",
    ],
)
def test_no_limits(text: object) -> None:
    with pytest.raises(ConfigurationError, match=r"budget.bundle.'\*' is .*: it must be like \"40 MiB\""):
        read_budgets({"bundle": {"*": text}})


def test_duplicates_are_counted() -> None:
    assert read_budgets({"duplicates": 3}) == (Budget("duplicates", "", Limit("3", Fraction(3))),)
    assert read_budgets({"duplicates": "+2"})[0].limit.allowed(5) == 7
    with pytest.raises(ConfigurationError, match=r"budget.duplicates is '3 MiB': it must be like 3"):
        read_budgets({"duplicates": "3 MiB"})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"bundles": {}}, "budget: there is no 'bundles' (keys are build, download, duplicates, file, bundle,"),
        ({"bundle": "4 MiB"}, "budget.bundle is '4 MiB': it must be a table"),
        ({"build": {"a": 1}}, "budget.build is {'a': 1}: it must be like"),
        ([], "budget is []: it must be a table"),
    ],
)
def test_a_wrong_table_is_named(table: object, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_budgets(table)
    assert str(caught.value).startswith(message)


def test_the_settings_of_a_project_have_them(tmp_path: Path) -> None:
    path = tmp_path / "assetdb.toml"
    path.write_text('[budget]\nbuild = "1 MiB"\n[budget.group]\nUI = "+2 %"\n')
    assert [budget.key for budget in read_configuration(str(tmp_path)).budget] == ["budget.build", "budget.group.'UI'"]
    path.write_text('[budget]\nbuild = "1 MibiByte"\n')
    with pytest.raises(ConfigurationError, match=r"assetdb.toml: budget.build is '1 MibiByte'"):
        read_configuration(str(tmp_path))
