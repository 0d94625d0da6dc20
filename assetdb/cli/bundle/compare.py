"""``assetdb bundle verify`` and ``diff``."""

from __future__ import annotations

import os
from typing import Any

from assetdb.cli.bundle import casset, unityfs
from assetdb.cli.bundle.each import each_file, grouped, reason, verdict
from assetdb.cli.bundle.inputs import CASSET, BundleFile, find_bundles
from assetdb.cli.bundle.kinds import printer_of
from assetdb.cli.bundle.neighbourhood import Neighbourhood
from assetdb.cli.bundle.options import Printing, Relating  # noqa: TC001 - read at run time, from annotations
from assetdb.cli.terminal import Progress, fail, print_json, printable
from assetdb.errors import UsageError
from assetdb_formats.binary import FormatError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Annotated

    from assetdb.cli.options import Argument
    from assetdb_formats.casset.project import Project


def verify(
    options: Relating,
    files: Annotated[
        list[str] | None, Argument(metavar="[FILE]", help="Files, or folders that hold some (default: those of --in).")
    ] = None,
) -> int:
    """Check that each bundle is whole; 1: findings, 2: unreadable.

    Of a folder or with --in also its references.
    """
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
        of_project = casset.print_project(project, places, names, as_text=not options.json)
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
        findings: list[str]
        notes: list[str] = []
        more: dict[str, Any] = {}
        word, code = "finding", 0
        try:
            if file.kind == CASSET:
                findings, notes, more = casset.verification(file.input, self._project)
            else:
                findings, notes, more = unityfs.verification(file.input)
            code = int(bool(findings))
            self.has_findings = self.has_findings or bool(findings)
        except (FormatError, OSError) as error:
            findings = [reason(file.input.name, error).removeprefix(f"{file.input.name}: ")]
            word, code = "unreadable", 2
            self.unreadable += 1
        if not self._as_text:
            own = {"notes": notes} if file.kind == CASSET else {"crc32": more.get("crc32")}
            print_json({"path": file.input.name, "readable": word == "finding", "findings": findings, **own})
            return code
        for said, lines in ((word, findings), ("note", notes)):
            for line in grouped(lines):
                print(printable(f"{file.input.name}: {said}: {line}"))
        return code


def diff(
    options: Printing,
    old: Annotated[str, Argument(metavar="OLD", help="A bundle, or a folder of bundles.")],
    new: Annotated[str, Argument(metavar="NEW", help="The other; of two folders the files of one name.")],
) -> int:
    """Compare two bundles, or those of two folders; 1 if they differ."""
    sides = [find_bundles([path]) for path in (old, new)]
    code = max(side.code for side in sides)
    if code:
        return code
    if len(sides[0].files) == len(sides[1].files) == 1:
        pairs = [(sides[0].files[0], sides[1].files[0])]
    else:
        pairs, code = _paired(sides[0].files, sides[1].files, as_text=not options.json)
    progress = Progress("bundles")
    for number, (before, after) in enumerate(pairs):
        progress(number, len(pairs))
        if before.kind != after.kind:
            code = fail(f"{before.input.name} and {after.input.name} are bundles of different kinds")
            continue
        if len(pairs) > 1 and not options.json:
            print(printable(f"{before.input.name} -> {after.input.name}:"))
        code = max(code, printer_of(before).print_diff(before.input, after.input, as_text=not options.json))
    progress.close()
    return code


def _paired(
    old: list[BundleFile], new: list[BundleFile], *, as_text: bool
) -> tuple[list[tuple[BundleFile, BundleFile]], int]:
    """Pair the bundles of two folders by their names.

    Those that only one has are printed.
    """
    befores, afters = ({file.input.member: file for file in files} for files in (old, new))
    code = 0
    for name in sorted(befores.keys() ^ afters.keys()):
        sign = "-" if name in befores else "+"
        code = 1
        if as_text:
            print(printable(f"{sign} {name}"))
        else:
            print_json({"change": sign, "bundle": name})
    return [(befores[name], afters[name]) for name in sorted(befores.keys() & afters.keys())], code
