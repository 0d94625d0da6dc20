"""The user's own settings, which no project's file can change.

::

    # $XDG_CONFIG_HOME/assetdb/config.toml (~/.config/assetdb; on Windows %APPDATA%/assetdb)
    auto-watch = true        # the first question to a project starts its daemon; ASSETDB_AUTO_WATCH=1 does, too
    idle-timeout = 1800      # seconds without a request after which a daemon that was started so ends
    follow-links = true      # also links that lead out of a project
    check-stat = "minimal"   # compare files by time and size alone, where inodes and ctimes are not to be trusted
    facts-cache = "/mnt/ci/assetdb"  # a folder of facts that machines and work trees share; so does ASSETDB_FACTS
"""

from __future__ import annotations

import os
import sys

from assetdb.errors import ConfigurationError, FileError
from assetdb.settings.project import LARGEST_CONFIGURATION
from assetdb.system.identity import CHECK_STAT
from assetdb.system.reading import read_small

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any, Final

FILE_NAME: Final = "config.toml"
_OURS: Final = "assetdb"
_AUTO_WATCH: Final = "ASSETDB_AUTO_WATCH"
_FACTS: Final = "ASSETDB_FACTS"
_SWITCHES: Final = {"": False, "0": False, "false": False, "no": False, "1": True, "true": True, "yes": True}
_TOML_TOKENS: Final = (
    rb'"""(?:\\.|[^\\])*?(?:"""|\\?\Z)'
    rb"|'''.*?(?:'''|\Z)"
    rb'|"(?:\\.|[^"\\\n])*'
    rb"|'[^'\n]*"
    rb"|#[^\n]*|[\[{\]}\n]"
)
"""Texts, comments, brackets and ends of lines; without an end, a text reaches as far as it may."""
_LONGEST_TIMEOUT: Final = 1e9
_BEYOND: Final = 1 << 63


class UserSettings:
    """The user's settings for all projects, or their defaults.

    Attributes:
        auto_watch: whether the first question to a project starts its daemon.
        idle_timeout: seconds after which such a daemon ends when idle.
        follow_links: whether links to directories outside a project are followed.
        check_stat: how changes of files are detected: one of
            :data:`assetdb.system.identity.CHECK_STAT`, or ``""`` to use the project's setting.
        facts_cache: the folder of facts that projects share, absolute; ``""``: none are shared.
    """

    # Not a named tuple, which takes 0.1 ms to make: every command reads these.
    __slots__ = ("auto_watch", "check_stat", "facts_cache", "follow_links", "idle_timeout")

    def __init__(self) -> None:
        self.auto_watch = False
        self.idle_timeout = 1800.0
        self.follow_links = False
        self.check_stat = ""
        self.facts_cache = ""


def read_user_settings() -> UserSettings:
    """Return the user's settings.

    Raises:
        ConfigurationError: the file or the environment has an invalid value.
    """
    path = os.path.join(_base("XDG_CONFIG_HOME", "APPDATA", ".config"), _OURS, FILE_NAME)
    found = _checked(path, read_toml(path) or {})
    given = os.environ.get(_AUTO_WATCH)
    if given is not None:
        if given.lower() not in _SWITCHES:
            raise ConfigurationError(f"{_AUTO_WATCH} is {given!r}: it must be 1 or 0")
        found.auto_watch = _SWITCHES[given.lower()]
    folder = os.environ.get(_FACTS)
    if folder is not None:
        if folder and not os.path.isabs(folder):
            raise ConfigurationError(f"{_FACTS} is {folder!r}: it must be an absolute path")
        found.facts_cache = folder
    return found


def refused_link(path: str, root: str, *, folders: bool = False) -> str:
    """Return the target of a link out of a project, unless followed.

    Links above the file are examined only where ``folders`` says so: a scan follows no such link out of the project.

    Raises:
        ConfigurationError: the user's settings are wrong.
    """
    from assetdb.system.mirrors import link_out  # noqa: PLC0415 - most commands show no content

    target = link_out(path, root)
    if folders and not target:
        real = os.path.realpath(path)
        top = os.path.join(
            root, os.path.relpath(path, root).partition(os.sep)[0]
        )  # a link itself in clones of a project
        if not any(real.startswith(os.path.join(os.path.realpath(folder), "")) for folder in (root, top)):
            target = real
    return target if target and not read_user_settings().follow_links else ""


def user_cache_folder() -> str:
    """Return the cache folder for projects without an output folder, maybe absent."""
    return os.path.join(_base("XDG_CACHE_HOME", "LOCALAPPDATA", ".cache"), _OURS)


def _base(variable: str, on_windows: str, otherwise: str) -> str:
    given = os.environ.get(variable, "")
    if not os.path.isabs(given) and sys.platform == "win32":  # XDG: relative paths must be ignored
        given = os.environ.get(on_windows, "")
    return given if os.path.isabs(given) else os.path.join(os.path.expanduser("~"), otherwise)


def read_toml(path: str) -> dict[str, Any] | None:
    """Return the values of a settings file, None if it is absent.

    Raises:
        ConfigurationError: it is not a regular file or too large, cannot be read, or is not TOML.
    """
    try:
        data = read_small(path, LARGEST_CONFIGURATION)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

        raise ConfigurationError(f"{path}: {words_of(error)}") from error
    except (FileError, ValueError) as error:
        raise ConfigurationError(str(error)) from error
    from tomllib import loads  # noqa: PLC0415 - few users and projects have such a file

    try:
        found = loads(data.decode("utf-8-sig"))
    except RecursionError as error:
        raise ConfigurationError(f"{path}: its values are nested too deeply (line {_deepest_line(data)})") from error
    except ValueError as error:  # not TOML, not UTF-8, or too many digits
        raise ConfigurationError(f"{path}: {error}") from error
    # Python writes none of more than 4,300 digits, and messages quote wrong values.
    if not _are_of_64_bits(found):
        raise ConfigurationError(f"{path}: a number has more than 64 bits")
    return found


def _are_of_64_bits(values: dict[str, Any]) -> bool:
    """Whether all integers are in the range that TOML has."""
    left: list[object] = [values]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
        elif isinstance(value, int) and not -_BEYOND <= value < _BEYOND:
            return False
    return True


def _deepest_line(data: bytes) -> int:
    """Return the line on which most brackets are open."""
    import re  # noqa: PLC0415 - only where a file is refused

    depth = deepest = line = found = 1
    for match in re.finditer(_TOML_TOKENS, data, re.DOTALL):
        token = match[0]
        line += token.count(b"\n")
        depth += (token in (b"[", b"{")) - (token in (b"]", b"}"))
        if depth > deepest:
            deepest, found = depth, line
    return found


def has_shared_folder() -> bool:
    """Whether the user names a folder of facts to share.

    Raises:
        ConfigurationError: the settings are wrong.
    """
    return bool(read_user_settings().facts_cache)


def _checked(path: str, values: dict[str, object]) -> UserSettings:
    found = UserSettings()
    for key, value in values.items():
        name = key.replace("-", "_")
        if key != name.replace("_", "-") or name not in UserSettings.__slots__:
            raise ConfigurationError(f"{path}: {unknown_key(key, UserSettings.__slots__)}")
        default = getattr(found, name)
        if isinstance(default, bool):
            right, allowed = isinstance(value, bool), "true or false"
        elif isinstance(default, float):
            right = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= _LONGEST_TIMEOUT
            allowed = "a number of seconds above 0"
        elif name == "facts_cache":
            right, allowed = isinstance(value, str) and os.path.isabs(value), "an absolute path"
        else:
            right, allowed = value in CHECK_STAT, '"default" or "minimal"'
        if not right:
            raise ConfigurationError(f"{path}: {key} is {value!r}: it must be {allowed}")
        setattr(found, name, float(value) if isinstance(default, float) else value)  # type: ignore[arg-type]  # checked
    return found


def unknown_key(key: str, fields: tuple[str, ...]) -> str:
    """Return a message about an unknown settings key, with the known ones."""
    from difflib import get_close_matches  # noqa: PLC0415 - only on this error

    known = [name.replace("_", "-") for name in fields]
    close = get_close_matches(key, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"there is no key {key!r} (keys are {', '.join(known)}){hint}"
