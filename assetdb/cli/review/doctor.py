"""``assetdb doctor``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.counting import counted
from assetdb.cli.terminal import print_hanging, print_json, print_json_lines, printable
from assetdb.doctor.examination import examine
from assetdb.doctor.item import ERROR, OK, WARNING, Item, exit_code
from assetdb.errors import ProjectError
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.settings.editor_version import VERSION_FILE, editor_version
from assetdb.version import described_version

if TYPE_CHECKING:
    from assetdb.cli.arguments import DatabaseOptions
    from assetdb.cli.options import Annotated, Json, Option


def doctor(
    options: DatabaseOptions,
    json: Json = False,
    library: Annotated[
        bool,
        Option("--library", help="Compare what assetdb says with the Library that the editor made of this project."),
    ] = False,
) -> int:
    """Check the installation, project, daemon, git and editors."""
    if library:
        return _compare_library(options, as_json=json)
    items: list[Item] = []
    for item in examine(options.project, options.out_dir):
        items.append(item)
        if json:
            print_json(item._asdict())
        elif item.state != OK or not options.quiet:
            _show(item)
    if not json and not options.quiet:
        errors, warnings = (sum(item.state == state for item in items) for state in (ERROR, WARNING))
        print(f"{counted(errors, 'error')}, {counted(warnings, 'warning')}")
    return exit_code(items)


def _compare_library(options: DatabaseOptions, *, as_json: bool) -> int:
    """Print differences from the editor's Library; return 1 for any."""
    from assetdb.doctor.library.judgement import judge  # noqa: PLC0415 - readers of Unity's own files
    from assetdb.doctor.library.reading import DATABASE, METADATA, Library  # noqa: PLC0415 - as above
    from assetdb.doctor.library.report import EXAMPLES, report_fields, report_lines  # noqa: PLC0415 - as above

    project = open_project(options.project, options.out_dir)
    try:
        library = Library(project)
        if not library.source:
            raise ProjectError(f"{project.root} has no {METADATA} and no {DATABASE}: open the project in Unity once")
        found = judge(library, project)
        if as_json:
            print_json(report_fields(library, found))
            print_json_lines(difference._asdict() for difference in found.differences)
        else:
            version = editor_version(project.read(VERSION_FILE) or b"") or "of an unknown version"
            print(f"{described_version()}, Unity {version}")
            for line in report_lines(library, found, most=None if options.verbose else EXAMPLES):
                print(printable(line))
        if not found.assets:
            raise ProjectError(
                "nothing could be compared: is this the Library of another project, or of another state?"
            )
        return 1 if found.differences else 0
    finally:
        project.close()


def _show(item: Item) -> None:
    print_hanging(item.state, f"{item.topic}: {item.message}", 9)
    if item.advice:
        print_hanging("", item.advice, 9)
