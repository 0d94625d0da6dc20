"""``assetdb.toml``: the settings of a project, for all its users.

::

    out-dir = "Build/assetdb"          # relative to the project, and inside it
    scrub-characters = "/|#"           # replaced by "_" in names
    exclude = ["*.generated.asset"]    # as in a .gitignore
    check-stat = "minimal"             # as git's core.checkStat: where inodes and ctimes are not to be trusted

``[budget]`` is in :mod:`assetdb.settings.budgets`, ``[check]`` in :mod:`assetdb.settings.checking`, ``[merge]`` in
:mod:`assetdb.settings.merging`, ``[[rule]]`` in :mod:`assetdb.settings.team_rules`.
"""

from __future__ import annotations

import os

from assetdb.errors import ConfigurationError
from assetdb.settings.patterns import refuse_many
from assetdb.settings.project import CONFIGURATION_NAME, LARGEST_CONFIGURATION
from assetdb.settings.user import read_toml
from assetdb.system.identity import CHECK_STAT
from assetdb.system.reading import attempt, read_small
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from assetdb.settings.budgets import Budget
    from assetdb.settings.checking import CheckConfiguration
    from assetdb.settings.team_rules import TeamRule


class Configuration(NamedTuple):
    """The settings of ``assetdb.toml``, or defaults; ``check`` is None without that table."""

    out_dir: str = ""
    scrub_characters: str = ""
    exclude: tuple[str, ...] = ()
    check_stat: str = ""
    check: CheckConfiguration | None = None
    rule: tuple[TeamRule, ...] = ()
    budget: tuple[Budget, ...] = ()


def read_configuration(root: str) -> Configuration:
    """Read the configuration of the project at ``root``.

    Raises:
        ConfigurationError: it is not a regular file or too large, not TOML, has an unknown key, or a value of another
            type.
    """
    path = os.path.join(root, CONFIGURATION_NAME)
    values = read_toml(path)
    if values is None:
        return Configuration()
    try:
        return _parsed(values)
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {error}{_place(path, str(error))}") from error


def _place(path: str, message: str) -> str:
    from assetdb.settings.toml_lines import line_of  # noqa: PLC0415 - only where something is wrong

    data = attempt(read_small, path, LARGEST_CONFIGURATION)
    line = line_of(data.decode("utf-8-sig", "replace"), message) if data is not None else 0
    return f" (line {line})" if line else ""


def _parsed(values: dict[str, Any]) -> Configuration:
    import msgspec  # noqa: PLC0415 - only a project that has the file pays for it

    class _File(msgspec.Struct, forbid_unknown_fields=True, rename="kebab"):
        out_dir: str = ""
        scrub_characters: str = ""
        exclude: tuple[str, ...] = ()
        check_stat: str | None = None

    check = values.pop("check", None)
    rules: tuple[TeamRule, ...] = ()
    budgets: tuple[Budget, ...] = ()
    if "rule" in values:
        from assetdb.settings.team_rules import read_rules  # noqa: PLC0415 - only a project that has rules

        rules = read_rules(values.pop("rule"))
    if "budget" in values:
        from assetdb.settings.budgets import read_budgets  # noqa: PLC0415 - only a project that has budgets

        budgets = read_budgets(values.pop("budget"))
    if "merge" in values:
        from assetdb.settings.merging import read_merge  # noqa: PLC0415 - only a project that has the table

        read_merge(values.pop("merge"))
    try:
        found = msgspec.convert(values, _File)
    except msgspec.ValidationError as error:
        allowed = ", ".join(name.replace("_", "-") for name in (*Configuration._fields, "merge"))
        raise ConfigurationError(f"{error} (keys are {allowed})") from error
    if found.check_stat not in (None, *CHECK_STAT):
        raise ConfigurationError(f"check-stat: {found.check_stat!r} is not one of {', '.join(CHECK_STAT)}")
    checked: CheckConfiguration | None = None
    if check is not None:
        from assetdb.settings.checking import read_check  # noqa: PLC0415 - the codes are loaded with it

        checked = read_check(check)
    stat = found.check_stat or ""
    return Configuration(found.out_dir, found.scrub_characters, found.exclude, stat, checked, rules, budgets)


def excluder(patterns: tuple[str, ...]) -> Callable[[str], bool] | None:
    """Return a predicate for excluded paths, or None without patterns.

    Raises:
        ConfigurationError: a pattern is not one, or there are too many.
    """
    if not patterns:
        return None
    refuse_many(f"{CONFIGURATION_NAME}: exclude:", patterns)
    from assetdb_formats.globs import path_matcher  # noqa: PLC0415 - only a project with patterns pays for it

    try:
        return path_matcher(patterns)
    except ValueError as error:
        raise ConfigurationError(f"{CONFIGURATION_NAME}: exclude: {error}") from error
