"""``assetdb bundle verify`` and ``diff``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from assetdb.cli.arguments import JsonOptions  # noqa: TC001 - read at run time, from annotations
from assetdb.cli.bundle.each import each_file, grouped, reason, verdict
from assetdb.cli.bundle.inputs import CASSET, BundleFile, find_bundles
from assetdb.cli.bundle.kinds import print_answer, questions_to
from assetdb.cli.bundle.kinds.casset import project_problems
from assetdb.cli.bundle.kinds.questions import VerifiedBundle
from assetdb.cli.bundle.neighbourhood import Neighbourhood
from assetdb.cli.bundle.options import ReferenceOptions  # noqa: TC001 - read at run time, from annotations
from assetdb.cli.terminal import fail, print_json, printable
from assetdb.errors import UsageError
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Argument
    from assetdb_formats.casset.project import Project
    from assetdb_formats.inputs import Input


def verify(
    options: ReferenceOptions,
    files: Annotated[
        list[str] | None, Argument(metavar="[FILE]", help="Files, or folders that hold some (by default of --in).")
    ] = None,
) -> int:
    """Check that each bundle is whole; 1: findings, 2: unreadable."""
    places = options.inside or [path for path in files or () if os.path.isdir(path)]
    if not files and not places:
        raise UsageError("bundle verify: name files or folders")
    found = find_bundles(files or places)
    project: Project | None = None
    if places and any(file.kind == CASSET for file in found.files):
        project = Neighbourhood(places, options.engine).project(None)
    verified = _Verified(project, as_text=not options.json)
    code = max(found.code, each_file(found.files, verified.verify, progress="bundles"))
    if project is not None:
        names = {file.input.name for file in found.files}
        of_project = print_answer(project_problems(project, places, names, as_text=not options.json))
        verified.unreadable += sum(error.path not in names for error in project.unreadable)
        verified.has_findings = verified.has_findings or of_project == 1 or bool(project.duplicates)
        code = max(code, of_project)
    if not options.json and found.files:
        print(verdict(len(found.files), verified.unreadable, has_findings=verified.has_findings))
    return code


class _Verified:
    """The results of `verify` so far."""

    def __init__(self, project: Project | None, *, as_text: bool) -> None:
        self._project = project
        self._as_text = as_text
        self.has_findings = False
        self.unreadable = 0

    def verify(self, file: BundleFile, _: int) -> int:
        """Check one bundle and print its problems."""
        word, code = "finding", 0
        try:
            found = questions_to(file.kind).verification(file.input, self._project)
            code = int(bool(found.findings))
            self.has_findings = self.has_findings or bool(found.findings)
        except (FormatError, OSError) as error:
            why = reason(file.input.name, error).removeprefix(f"{file.input.name}: ")
            facts: dict[str, Any] = {"notes": []} if file.kind == CASSET else {"crc32": None, "unread": None}
            found = VerifiedBundle((why,), (), facts)
            word, code = "unreadable", 2
            self.unreadable += 1
        if not self._as_text:
            facts = {"findings": list(found.findings), **found.facts}
            print_json({"path": file.input.name, "readable": word == "finding", **facts})
            return code
        for label, lines in ((word, found.findings), ("note", found.notes)):
            for line in grouped(lines):
                print(printable(f"{file.input.name}: {label}: {line}"))
        return code


def diff(
    options: JsonOptions,
    old: Annotated[str, Argument(metavar="OLD", help="A bundle, or a folder of bundles.")],
    new: Annotated[str, Argument(metavar="NEW", help="The other one; in two folders, files are matched by name.")],
) -> int:
    """Compare two bundles, or two folders' bundles; 1 if they differ."""
    sides = [find_bundles([path]) for path in (old, new)]
    code = max(side.code for side in sides)
    if code:
        return code
    if len(sides[0].files) == len(sides[1].files) == 1:
        pairs = [_Pair(sides[0].files[0], sides[1].files[0])]
    else:
        pairs, code = _paired(sides[0].files, sides[1].files, as_text=not options.json)

    def show(pair: _Pair, _: int) -> int:
        before, after = pair.input, pair.new.input
        if pair.old.kind != pair.new.kind:
            return fail(f"{before.name} and {after.name} are bundles of different kinds")
        if len(pairs) > 1 and not options.json:
            print(printable(f"{before.name} -> {after.name}:"))
        return print_answer(questions_to(pair.old.kind).difference(before, after, as_text=not options.json))

    return max(code, each_file(pairs, show, progress="bundles"))


class _Pair(NamedTuple):
    """Two bundles to compare."""

    old: BundleFile
    new: BundleFile

    @property
    def input(self) -> Input:
        """The older file."""
        return self.old.input


def _paired(old: list[BundleFile], new: list[BundleFile], *, as_text: bool) -> tuple[list[_Pair], int]:
    """Pair the bundles of two folders by name; print the others."""
    befores, afters = ({file.input.member: file for file in files} for files in (old, new))
    code = 0
    for name in sorted(befores.keys() ^ afters.keys()):
        sign = "-" if name in befores else "+"
        code = 1
        if as_text:
            print(printable(f"{sign} {name}"))
        else:
            print_json({"change": sign, "bundle": name})
    return [_Pair(befores[name], afters[name]) for name in sorted(befores.keys() & afters.keys())], code
