"""``[[rule]]`` of ``assetdb.toml``: rules of a team about its own assets.

::

    [[rule]]
    paths = "Assets/UI/**/*.png"       # as in a .gitignore, or a list
    name = "UI_*"                      # of the file, without its extension
    max-size = "2 MB"                  # of the file
    power-of-two = true                # width and height of a PNG, JPEG, TGA, PSD, BMP or GIF
    mipmaps = false                    # as in the .meta; so are the next three
    readable = false
    sprite-mode = "single"             # none, single, multiple or polygon
    compression = {default = "normal", Android = "high"}  # none, low, normal, high; compressed: any but none

    [[rule]]
    paths = "Assets/Legacy/**"
    only-used-by = "Assets/Legacy/**"  # or forbid-usage-of: assets that the rule's assets must not refer to
"""

from __future__ import annotations

import re

from assetdb.errors import ConfigurationError
from assetdb.settings.patterns import refuse_many, refuse_no_pattern
from assetdb.settings.user import unknown_key
from assetdb_formats.globs import path_matcher
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

SPRITE_MODES: Final = ("none", "single", "multiple", "polygon")
"""By their number in a texture's meta."""
COMPRESSIONS: Final = ("none", "low", "normal", "high", "compressed")
"""As in Unity's inspector; ``compressed`` is any but ``none``."""
_DEFAULT: Final = "default"
_SIZE: Final = re.compile(r"(\d{1,12}) ?(|B|kB|MB|GB)")
_UNITS: Final = {"": 1, "B": 1, "kB": 1000, "MB": 1000_000, "GB": 1000_000_000}
_MOST: Final = 200


class TeamRule(NamedTuple):
    """One rule: its assets, and the demands on them.

    Attributes:
        paths: patterns as in a .gitignore.
        name: pattern of the file's name without its extension, ``""`` for any.
        max_size: of the file in bytes, -1 for any.
        power_of_two: whether width and height must be, or must not be; None if it does not matter, as for the next two.
        mipmaps: whether the texture has them.
        readable: whether scripts may read the pixels or the mesh.
        sprite_mode: one of :data:`SPRITE_MODES`, ``""`` for any.
        compression: platform, as in a texture's meta or ``default``, and one of :data:`COMPRESSIONS`.
        forbid_usage_of: patterns of assets that the rule's assets must not refer to.
        only_used_by: patterns of the assets that alone may refer to the rule's assets.
    """

    paths: tuple[str, ...]
    name: str = ""
    max_size: int = -1
    power_of_two: bool | None = None
    mipmaps: bool | None = None
    readable: bool | None = None
    sprite_mode: str = ""
    compression: tuple[tuple[str, str], ...] = ()
    forbid_usage_of: tuple[str, ...] = ()
    only_used_by: tuple[str, ...] = ()


def read_rules(value: object) -> tuple[TeamRule, ...]:
    """Return the rules of the tables ``[[rule]]``.

    Raises:
        ConfigurationError: a rule has an unknown key, a value of another type, or an invalid pattern.
    """
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise ConfigurationError("rule: it is no list of tables: write [[rule]]")
    if len(value) > _MOST:
        raise ConfigurationError(f"there are {len(value):,} rules, and at most {_MOST} are checked")
    return tuple(_rule(f"rule {number}", row) for number, row in enumerate(value, 1))


def _rule(where: str, row: dict[str, object]) -> TeamRule:
    for key in row:
        if key.replace("-", "_") not in TeamRule._fields or "_" in key:
            raise ConfigurationError(f"{where}: {unknown_key(key, TeamRule._fields)}")
    rule = TeamRule(
        _patterns(where, "paths", row),
        _text(where, "name", row),
        _size(where, row),
        _flag(where, "power-of-two", row),
        _flag(where, "mipmaps", row),
        _flag(where, "readable", row),
        _text(where, "sprite-mode", row),
        _compression(where, row),
        _patterns(where, "forbid-usage-of", row),
        _patterns(where, "only-used-by", row),
    )
    refuse_no_pattern(f"{where}: name", rule.name, escapes=False)
    if not rule.paths:
        raise ConfigurationError(f"{where}: it has no paths: to which assets does it apply?")
    if rule.sprite_mode and rule.sprite_mode not in SPRITE_MODES:
        raise ConfigurationError(f"{where}: sprite-mode {rule.sprite_mode!r} is not one of {', '.join(SPRITE_MODES)}")
    if rule == TeamRule(rule.paths):
        raise ConfigurationError(f"{where}: it demands nothing of {rule.paths[0]}")
    return rule


def _patterns(where: str, key: str, row: dict[str, object]) -> tuple[str, ...]:
    value = row.get(key, [])
    patterns = [value] if isinstance(value, str) else value
    if not isinstance(patterns, list) or not all(isinstance(pattern, str) and pattern for pattern in patterns):
        raise ConfigurationError(f"{where}: {key} is {value!r}: it must be a pattern or a list of patterns")
    refuse_many(f"{where}: {key}", patterns)
    for pattern in patterns:
        refuse_no_pattern(f"{where}: {key}", pattern, escapes=True)
        if not pattern.strip() or pattern.startswith("#"):
            raise ConfigurationError(f"{where}: {key}: {pattern!r} is a comment or blank, and matches nothing")
    if patterns and all(pattern.startswith("!") for pattern in patterns):
        raise ConfigurationError(f"{where}: {key}: {', '.join(patterns)} leaves out files, and nothing includes any")
    try:
        path_matcher(tuple(patterns))
    except ValueError as error:
        raise ConfigurationError(f"{where}: {key}: {error}") from error
    return tuple(patterns)


def _compression(where: str, row: dict[str, object]) -> tuple[tuple[str, str], ...]:
    value = row.get("compression", {})
    wanted = {_DEFAULT: value} if isinstance(value, str) else value
    if not isinstance(wanted, dict) or not all(each in COMPRESSIONS for each in wanted.values()):
        allowed = ", ".join(COMPRESSIONS)
        raise ConfigurationError(f"{where}: compression is {value!r}: it must be one of {allowed}, or such by platform")
    return tuple(wanted.items())


def _text(where: str, key: str, row: dict[str, object]) -> str:
    value = row.get(key, "")
    if not isinstance(value, str):
        raise ConfigurationError(f"{where}: {key} is {value!r}: it must be a text")
    return value


def _flag(where: str, key: str, row: dict[str, object]) -> bool | None:
    value = row.get(key)
    if value is not None and not isinstance(value, bool):
        raise ConfigurationError(f"{where}: {key} is {value!r}: it must be true or false")
    return value


def _size(where: str, row: dict[str, object]) -> int:
    value = row.get("max-size", -1)
    if isinstance(value, str) and (found := _SIZE.fullmatch(value)):
        return int(found[1]) * _UNITS[found[2]]
    if isinstance(value, bool) or not isinstance(value, int) or ("max-size" in row and value < 0):
        raise ConfigurationError(f"{where}: max-size is {value!r}: it must be a number of bytes, as 2000000 or '2 MB'")
    return value
