"""Former names of fields (``FormerlySerializedAs``) that no asset stores.

Whether a value is of the type is not examined: any value or override of that name is a need, and a false word here
would lose values.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.counting import counted
from assetdb.checks.field_users import component_users
from assetdb.checks.findings.finding import Finding
from assetdb.checks.lineage import Sources
from assetdb.checks.rules import FORMER_NAME
from assetdb.unity.binary.opening import as_text
from assetdb.unity.kinds import DOCUMENTS, extension_of, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.memo.view import View
    from assetdb.unity.scripts.csharp import Declaration, FormerName

_OWN: Final = "Assets/"
_SETTINGS: Final = "ProjectSettings/"
_READABLE: Final = (b"%YAML", b"\xef\xbb\xbf%YAML")


class _Attribute(NamedTuple):
    """A former name, and where it is given."""

    path: str
    owner: Declaration
    former: FormerName


class _Stored(NamedTuple):
    """The assets with each name, and how many are unreadable."""

    paths: dict[str, set[str]]
    unread: int


def find_unneeded(project: View) -> Iterator[Finding]:
    """Yield the former names that no asset stores."""
    sources = Sources(project)
    attributes = list(_attributes(sources))
    if not attributes:
        return
    stored = _stored(project, {each.former.name for each in attributes})
    said = f" ({counted(stored.unread, 'file')} could not be read)" if stored.unread else ""
    users: dict[str, set[str] | None] = {}
    for path, owner, former in attributes:
        needs = stored.paths.get(former.name, set())
        if needs and owner.name not in users:
            users[owner.name] = component_users(project, sources, owner.name)
        using = users.get(owner.name)
        if not any(using is None or each in using or each.startswith(_SETTINGS) for each in needs):
            field = former.field.removeprefix("<").removesuffix(">k__BackingField")
            message = f"{owner.name}.{field} was {former.name}, which no asset stores any more{said}"
            yield Finding.of(FORMER_NAME, path, message, former.line, "", field, sources.guids[path])


def _attributes(sources: Sources) -> Iterator[_Attribute]:
    """Yield the former names in readable C# below Assets."""
    for path in sorted(sources.guids):
        if path.startswith(_OWN):
            for owner in sources.source(path).types:
                if not owner.unclear:
                    yield from (_Attribute(path, owner, former) for former in owner.renamed)


def _stored(project: View, names: set[str]) -> _Stored:
    """Return the text assets with a value or override of each name."""
    pattern = _pattern(sorted(names))
    found = _Stored({}, 0)
    for path in _text_assets(project):
        data = as_text(project.read(path) or b"")
        if not data.startswith(_READABLE):
            found = found._replace(unread=found.unread + 1)
        for match in set(pattern.findall(data)):
            found.paths.setdefault(match.decode("utf-8", "replace"), set()).add(path)
    return found


def _text_assets(project: View) -> Iterator[str]:
    """Yield the files that may store fields, settings included."""
    database = project.database
    for asset in chain(database.containing(b"."), (duplicate.asset for duplicate in database.duplicates)):
        if kind_of(extension_of(asset.path)).content == DOCUMENTS:
            yield asset.path
    yield from (_SETTINGS + name for name in project.names_in(_SETTINGS[:-1]) if name.endswith(".asset"))


def _pattern(names: Sequence[str]) -> re.Pattern[bytes]:
    """Return a pattern of names as keys and in property paths."""
    either = b"|".join(re.escape(name.encode()) for name in names)
    return re.compile(rb"(?:(?<=[ .\"'])(" + either + rb")(?=[:.\r\n\"']))")
