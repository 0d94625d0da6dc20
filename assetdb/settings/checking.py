"""``[check]`` of ``assetdb.toml``: codes and severities.

::

    [check]
    select = ["missing-script", "missing-asset"]   # only these; default: all that are not off
    ignore = ["stale-override"]
    baseline = "assetdb-baseline.json"             # relative to the project, and inside it
    restored = ["Assets/Packages/"]                # ignored by git, and there after a step of the team's

    [check.per-path-ignores]                       # patterns as in a .gitignore
    "Assets/Plugins/" = ["all"]

    [check.severity]                               # error, warning, note or off
    empty-asset = "error"
"""

from __future__ import annotations

from assetdb.diagnostics.codes import ALL, CODES, SEVERITIES
from assetdb.errors import ConfigurationError
from assetdb.settings.patterns import refuse_many
from assetdb.settings.user import unknown_key
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class CheckConfiguration(NamedTuple):
    """The table ``[check]``, or its defaults.

    Attributes:
        select: codes, or ``all``; so is ``ignore``.
        per_path_ignores: pattern and codes.
        severity: by code.
        baseline: path relative to the project, ``""`` for none.
        restored: patterns of the files that git ignores and a step of the team restores.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_path_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    baseline: str = ""
    restored: tuple[str, ...] = ()


def read_check(values: object) -> CheckConfiguration:
    """Return the settings of the table ``[check]``.

    Raises:
        ConfigurationError: it has an unknown key or code, or a value of another type.
    """
    table = _table("check", values)
    for key in table:
        if key.replace("-", "_") not in CheckConfiguration._fields or "_" in key:
            raise ConfigurationError(f"check: {unknown_key(key, CheckConfiguration._fields)}")
    baseline = table.get("baseline", "")
    if not isinstance(baseline, str):
        raise ConfigurationError(f"check.baseline is {baseline!r}: it must be a path inside the project")
    ignores = _table("check.per-path-ignores", table.get("per-path-ignores", {}))
    refuse_many("check.per-path-ignores", ignores)
    return CheckConfiguration(
        _codes("check.select", table.get("select", [])),
        _codes("check.ignore", table.get("ignore", [])),
        tuple(
            (_pattern("check.per-path-ignores", pattern), _codes(f"check.per-path-ignores.{pattern!r}", codes))
            for pattern, codes in ignores.items()
        ),
        tuple(
            (known_code("check.severity", code), _severity(code, severity))
            for code, severity in _table("check.severity", table.get("severity", {})).items()
        ),
        baseline,
        _patterns("check.restored", table.get("restored", [])),
    )


def known_code(where: str, code: str, *, every: bool = False) -> str:
    """Return a known code.

    Args:
        where: its place for the message: an option, a key.
        code: the word, in any case.
        every: whether ``all`` is accepted.

    Raises:
        ConfigurationError: there is no such code.
    """
    name = code.strip().lower()
    if name in CODES or (every and name == ALL):
        return name
    from difflib import get_close_matches  # noqa: PLC0415 - only on this error

    close = get_close_matches(name, [*CODES, *([ALL] if every else [])], n=1)
    hint = f"; did you mean {close[0]!r}?" if close else " (`assetdb rule --all` lists them)"
    raise ConfigurationError(f"{where}: there is no code {code!r}{hint}")


def known_codes(where: str, codes: Iterable[str]) -> tuple[str, ...]:
    """Return known codes, each once; see :func:`known_code`."""
    return tuple(dict.fromkeys(known_code(where, code, every=True) for code in codes))


def _codes(where: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(code, str) for code in value):
        raise ConfigurationError(f"{where} is {value!r}: it must be a list of codes")
    return known_codes(where, value)


def _table(where: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ConfigurationError(f"{where} is {value!r}: it must be a table")
    return value


def _patterns(where: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ConfigurationError(f"{where} is {value!r}: it must be a list of patterns")
    refuse_many(where, value)
    return tuple(_pattern(where, text) for text in value)


def _pattern(where: str, text: object) -> str:
    if not isinstance(text, str):
        raise ConfigurationError(f"{where} has {text!r}: it must be a pattern as in a .gitignore")
    from assetdb_formats.globs import path_matcher  # noqa: PLC0415 - only a project with patterns pays for it

    try:
        path_matcher((text,))
    except ValueError as error:
        raise ConfigurationError(f"{where}: {error}") from error
    return text


def _severity(code: str, value: object) -> str:
    if isinstance(value, str) and value in SEVERITIES:
        return value
    raise ConfigurationError(f"check.severity.{code} is {value!r}: it must be {', '.join(SEVERITIES)}")
