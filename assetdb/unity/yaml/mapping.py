"""Small YAML mappings of other writers, read whole by PyYAML.

What Unity writes is not read here: PyYAML cuts a text at `` #`` and loses spaces before a break, and Unity does not
(:mod:`assetdb.unity.yaml.nodes`).

The readers of the bake search for what they need; unusual forms (a flow mapping, a quoted key, a tool that sorts) are
read here. PyYAML takes 20 ms to import and 0.5 ms for a meta, so it is not used for ordinary files. Scalars remain
text: otherwise a GUID of digits alone would become a number, and the version ``1.10`` would become ``1.1``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import yaml

LARGEST: Final = 1 << 18
"""Bytes; a larger file is refused. The largest known meta without a table of sprites has a tenth of it."""
_DEEPEST: Final = 32  # nested mappings and sequences; metas have 6
_MOST_EVENTS: Final = 100_000


def read_mapping(
    data: bytes, *, largest: int = LARGEST, deepest: int = _DEEPEST, most_events: int = _MOST_EVENTS
) -> Mapping[str, object]:
    """Return the mapping in a YAML file, without repeated aliases.

    Raises:
        FormatError: it is too large or deep, has aliases or several documents, or is not a YAML mapping.
    """
    if len(data) > largest:
        raise FormatError(f"has {len(data):,} bytes, at most {largest:,} are read as YAML")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("is not UTF-8", offset=error.start) from error
    import yaml  # noqa: PLC0415 - 20 ms, and hardly any file needs it

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        _check_events(yaml.parse(text, Loader=loader), deepest, most_events)
        found = yaml.load(text, Loader=loader)  # noqa: S506 - the base loader makes text, lists and dictionaries alone
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise FormatError(f"is not YAML: {error.problem}", offset=mark.index if mark is not None else None) from error
    except (yaml.YAMLError, ValueError, TypeError) as error:
        raise FormatError(f"is not YAML: {error}") from error
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise FormatError("is not a YAML mapping")
    return found


def _check_events(events: Iterable[yaml.Event], deepest: int, most: int) -> None:
    """Check a parser's events before anything is built.

    Raises:
        FormatError: it is too deep, has too many values, or has an alias.
    """
    import yaml  # noqa: PLC0415 - imported already

    depth = 0
    for count, event in enumerate(events):
        place = event.start_mark.index if event.start_mark is not None else None
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent):
            raise FormatError("has an alias, which may expand without end", offset=place)
        if depth > deepest or count > most:
            raise FormatError("is too deep or has too many values", offset=place)
