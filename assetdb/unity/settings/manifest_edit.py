"""Edits of one dependency in a manifest of packages.

All other bytes stay as they are: order, indents, line ends, a byte-order mark.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Final, NamedTuple

from assetdb_formats.binary import FormatError

_KEY: Final = "dependencies"
_BOM: Final = "\ufeff"
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s"{}\[\],:]+')
_INDENT: Final = "  "


class _Member(NamedTuple):
    """A key and its value, by their offsets in the text."""

    key: str
    start: int
    key_end: int
    value_start: int
    end: int


class _Object(NamedTuple):
    """The members of an object, and the offsets of its braces."""

    start: int
    end: int
    members: tuple[_Member, ...]

    def member(self, key: str) -> _Member | None:
        """Return a member by its key."""
        return next((each for each in self.members if each.key == key), None)


def with_dependency(data: bytes, name: str, version: str) -> bytes:
    """Return a manifest that requires a package.

    Raises:
        FormatError: it is no manifest that can be edited.
    """
    text, dependencies, manifest = _read(data)
    member = dependencies.member(name) if dependencies is not None else None
    row = json.dumps(version)
    if member is not None:
        changed = text[: member.value_start] + row + text[member.end :]
    elif dependencies is not None:
        changed = _with_member(text, dependencies, name, row, _line_above(text, dependencies.start))
    else:
        root = _object(text, text.index("{"))
        line = "\n" if "\n" in text else ""
        rows = f"{{{line}{2 * _INDENT if line else ''}{json.dumps(name)}: {row}{line}{_INDENT if line else ''}}}"
        changed = _with_member(text, root, _KEY, rows.replace("\n", _line_end(text)), "", is_first=True)
    wanted = {**manifest.get(_KEY, {}), name: version}
    return _proven(changed, {**manifest, _KEY: wanted}, data)


def without_dependency(data: bytes, name: str) -> bytes:
    """Return a manifest that does not require a package.

    Raises:
        FormatError: it is no manifest that can be edited.
    """
    text, dependencies, manifest = _read(data)
    member = dependencies.member(name) if dependencies is not None else None
    if dependencies is None or member is None:
        return data
    number = dependencies.members.index(member)
    if len(dependencies.members) == 1:
        start, end = dependencies.start + 1, dependencies.end
    elif member is dependencies.members[-1]:
        start, end = dependencies.members[number - 1].end, member.end
    else:
        start, end = member.start, dependencies.members[number + 1].start
    left = {key: value for key, value in manifest[_KEY].items() if key != name}
    return _proven(text[:start] + text[end:], {**manifest, _KEY: left}, data)


def dependency_of(data: bytes, name: str) -> str | None:
    """Return the version of a package in a manifest, None without one.

    Raises:
        FormatError: it is no manifest that can be edited.
    """
    _, _, manifest = _read(data)
    version = manifest.get(_KEY, {}).get(name)
    return version if isinstance(version, str) or version is None else json.dumps(version)


def _read(data: bytes) -> tuple[str, _Object | None, dict[str, dict[str, object]]]:
    """Return a manifest's text, dependencies and contents."""
    try:
        text = data.decode()
        manifest = json.loads(text.removeprefix(_BOM), object_pairs_hook=_pairs)
    except UnicodeDecodeError as error:
        raise FormatError("not UTF-8", offset=error.start) from error
    except json.JSONDecodeError as error:
        offset = len(error.doc[: error.pos].encode())
        raise FormatError(f"no JSON: {error.msg}, line {error.lineno}", offset=offset) from error
    except FormatError:  # of a key that is there twice
        raise
    except ValueError as error:  # more than 4,300 digits
        raise FormatError("a number that is too long", offset=0) from error
    except RecursionError as error:
        raise FormatError("JSON nested too deeply", offset=0) from error
    if not isinstance(manifest, dict):
        raise FormatError("JSON that is no object", offset=0)
    if not isinstance(manifest.get(_KEY, {}), dict):
        raise FormatError(f"{_KEY} that are no object", offset=0)
    member = _object(text, text.index("{")).member(_KEY)
    return text, _object(text, member.value_start) if member is not None else None, manifest


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise FormatError(f"{twice[:100]!r} twice", offset=0)
    return found


def _object(text: str, start: int) -> _Object:
    """Return the object that begins at an offset of valid JSON."""
    members: list[_Member] = []
    depth = 0
    key: re.Match[str] | None = None
    value_start = last = 0
    for token in _TOKEN.finditer(text, start):
        sign = token[0]
        if depth == 1 and sign in ",}" and key is not None:
            members.append(_Member(json.loads(key[0]), key.start(), key.end(), value_start, last))
            key, value_start = None, 0
        elif depth == 1 and key is None:
            key = token
        elif depth == 1 and not value_start and sign != ":":
            value_start = token.start()
        depth += (sign in "{[") - (sign in "}]")
        last = token.end()
        if depth == 0:
            break
    return _Object(start, last - 1, tuple(members))


def _with_member(text: str, into: _Object, name: str, value: str, line: str, *, is_first: bool = False) -> str:
    """Return a text with a member, before the first greater key."""
    row = json.dumps(name)
    if not into.members:
        end = _line_end(text)
        inner = f"{end}{line}{_INDENT}{row}: {value}{end}{line}" if "\n" in text else f"{row}: {value}"
        return text[: into.start + 1] + inner + text[into.end :]
    before = into.members[0] if is_first else next((each for each in into.members if each.key > name), None)
    near = before or into.members[-1]
    colon = text[near.key_end : near.value_start]
    if before is not None:
        at = into.members.index(before)
        above = into.members[at - 1].end if at else into.start
        blank = text[above : before.start].rpartition(",")[2] if at else text[above + 1 : before.start]
        return f"{text[: before.start]}{row}{colon}{value},{blank or ' '}{text[before.start :]}"
    above = into.members[-2].end if len(into.members) > 1 else into.start
    blank = text[above + 1 : near.start].rpartition(",")[2]
    return f"{text[: near.end]},{blank or ' '}{row}{colon}{value}{text[near.end :]}"


def _line_above(text: str, offset: int) -> str:
    """Return the indent of the line around an offset."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip())]


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _proven(text: str, wanted: object, data: bytes) -> bytes:
    """Return a changed text as bytes, if it has the wanted contents."""
    if json.loads(text.removeprefix(_BOM)) != wanted:
        raise FormatError("a form that cannot be edited", offset=0)
    changed = text.encode()
    return data if changed == data else changed
