"""Places of problems: line, object and property of each reference."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from assetdb.checks.verdicts.extracting import (
    GUID_DIGITS,
    fault_code,
    fault_key,
    faults_of,
    key_of,
    property_of,
    typed_key,
)
from assetdb.checks.verdicts.placing import UNNOTICED, PlacedReasons
from assetdb.checks.verdicts.processing import in_parts
from assetdb.checks.verdicts.reading import content_of, read_one
from assetdb.memo.tree import extension_of, file_of
from assetdb.query.graph.verdicts import YAML, form_of, references
from assetdb.scan.content_id import hasher
from assetdb.settings.user import refused_link
from assetdb.unity.binary.opening import as_text
from assetdb.unity.engine.expected_classes import is_certain, typed_references
from assetdb.unity.referring.texts import without_texts
from assetdb.unity.yaml.property_path import each_place, places

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assetdb.checks.verdicts.deciding import Outcome
    from assetdb.checks.verdicts.processing import Processing
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.unity.settings.tags import Tags
    from assetdb.unity.yaml.property_path import Place

Problem: TypeAlias = tuple[int, int, int, int, str, str, int, str, str, str, str, "int | None", str, str]
"""Fields of a JudgedReference: ``unlisted``, ``line`` to ``override``, its detail, GUID, fileID, kind and reason."""
_Work: TypeAlias = "tuple[bytes, str, dict[bytes, Outcome]]"
_Located: TypeAlias = "tuple[int, Place, str, str, int | None, Outcome]"
Located: TypeAlias = "tuple[dict[bytes, Outcome], list[_Located]]"
"""The problems of a file by key, and where its text has them: all but names, which other files give."""


class Placed(NamedTuple):
    """The problems of some files.

    Attributes:
        problems: by path, in the order of each file.
        contents: of the files that were read, as :class:`assetdb.checks.verdicts.reading.ReadFacts` has them.
    """

    problems: dict[bytes, list[Problem]]
    contents: dict[bytes, bytes]


MOST_LISTED = 10_000  # not final, since tests lower it
"""So many references of a file are listed for each verdict, and the others counted: a line may have 400,000."""


def place_problems(
    project: Snapshot,
    work: Sequence[_Work],
    processing: Processing,
    *,
    libyaml: bool = False,
    tags: Tags | None = None,
    known: dict[bytes, Located | None] | None = None,
) -> Placed:
    """Return the problems of files, and the contents that were read.

    Args:
        project: brought up to date.
        work: path of each file, its GUID (or ``""``), and its keys that are problems.
        processing: how many processes do how many files.
        libyaml: whether Unity up to 2019.2 reads the project.
        tags: the project's, None if they are unknown.
        known: files that have not changed, with what this found in them last; it writes there what it finds.

    Raises:
        ScanError: a file cannot be read now.
    """
    found = Placed({}, {})
    place = partial(_placed, project, known if known is not None else {}, libyaml=libyaml, tags=tags)
    for made in in_parts(place, work, processing.placed, processing.workers):
        found.problems.update(made["problems"])
        found.contents.update(made["contents"])
        project.resolver.examined.update(made["examined"])
    return found


def _placed(
    project: Snapshot,
    known: dict[bytes, Located | None],
    _part: int,
    work: Sequence[_Work],
    *,
    libyaml: bool,
    tags: Tags | None,
) -> dict[str, Any]:
    found, digest = Placed({}, {}), hasher()
    for path, guid, problems in work:
        before = known.get(path)
        if before is None or before[0] != problems:
            data = read_one(project.root, path)
            content = content_of(path, data, digest) if data is not None else b""  # it was text when it was read
            if content is not None:
                found.contents[path] = content
            if data is None:
                continue
            before = problems, _located_in(data, extension_of(path), problems, libyaml=libyaml, tags=tags)
            if path in known:
                known[path] = before
        located = before[1]
        is_shown = not refused_link(file_of(project.root, path), project.root)
        if not is_shown:
            located = [_without_names(row) for row in located]
        found.problems[path] = [_problem(project, guid if is_shown else "", item) for item in located]
    return {**found._asdict(), "examined": list(project.resolver.examined)}


def _located_in(
    data: bytes, extension: str, problems: Mapping[bytes, Outcome], *, libyaml: bool, tags: Tags | None
) -> list[_Located]:
    """Return the places of problems, without lines in a binary file."""
    text = as_text(data)
    located = _located(text, extension, problems, libyaml=libyaml, tags=tags)
    return located if text is data else [(row[0], row[1]._replace(line=0), *row[2:]) for row in located]


def _located(
    data: bytes, extension: str, problems: Mapping[bytes, Outcome], *, libyaml: bool = False, tags: Tags | None = None
) -> list[_Located]:
    """Return place, detail, GUID, fileID and verdict of problems, in order."""
    found = []
    guids = {key[:GUID_DIGITS] for key in problems}
    for guid, file_id, override, candidate, offset in references(data, extension):
        if guid not in guids:
            continue
        outcome = problems.get(key_of(guid, file_id, override=override, candidate=candidate))
        if outcome is not None:
            found.append((offset, "", guid.decode(), file_id, outcome))
    for fault in faults_of(data, extension, libyaml=libyaml, tags=tags) if any(map(fault_code, problems)) else ():
        outcome = problems.get(fault_key(fault))
        if outcome is not None:
            found.append((fault.offset, fault.detail, "", fault.file_id, outcome))
    of_other_kinds = _of_other_kinds(data, extension, problems)
    found = [row for row in found if row[0] not in of_other_kinds] + list(of_other_kinds.values())
    found.sort(key=lambda row: row[0])
    where = each_place(data, [row[0] for row in found])
    listed: list[_Located] = []
    counts: Counter[Outcome] = Counter()
    beyond: dict[Outcome, Place] = {}
    reasons = PlacedReasons(data)
    for place, (_, detail, target, file_id, (kind, reason)) in zip(where, found, strict=True):
        outcome = kind, reasons.of(place, reason)
        if outcome[1] == UNNOTICED:
            continue
        counts[outcome] += 1
        if counts[outcome] <= MOST_LISTED:
            listed.append((0, place, detail, target, file_id, outcome))
        elif outcome not in beyond:
            beyond[outcome] = place._replace(path="", override="")
    return listed + [(counts[outcome] - MOST_LISTED, place, "", "", None, outcome) for outcome, place in beyond.items()]


def _of_other_kinds(
    data: bytes, extension: str, problems: Mapping[bytes, Outcome]
) -> dict[int, tuple[int, str, str, int, Outcome]]:
    """Return, by offset, references to a kind that the property excludes."""
    if form_of(data, extension) != YAML or not any(map(property_of, problems)):
        return {}
    wrong = [
        (typed, problems[key])
        for typed in typed_references(without_texts(data))
        if (key := typed_key(typed)) in problems
    ]
    wrong.sort(key=lambda row: row[0].offset)
    where = places(data, [typed.offset for typed, _ in wrong])
    return {
        typed.offset: (typed.offset, "", typed.guid.decode(), typed.file_id, outcome)
        for (typed, outcome), place in zip(wrong, where, strict=True)
        if is_certain(typed.name, place.class_id, place.script)
    }


def _without_names(located: _Located) -> _Located:
    """Return a problem without words that its file alone has."""
    unlisted, place, _, guid, file_id, outcome = located
    return unlisted, place._replace(line=0, name="", path=""), "", guid, file_id, outcome


def _problem(project: Snapshot, own_guid: str, located: _Located) -> Problem:
    unlisted, place, detail, guid, file_id, (kind, reason) = located
    way = project.resolver.hierarchy(own_guid, place.file_id) if own_guid else ""
    where = place.line, place.class_id, place.file_id, way or place.name, place.script, place.script_id
    return unlisted, *where, place.path, place.override, detail, guid, file_id, kind, reason
