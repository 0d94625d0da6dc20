"""``assetdb git-setup``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.arguments import CommonOptions
from assetdb.cli.terminal import print_json, printable, say, table
from assetdb.errors import UsageError
from assetdb.history.configuration.setup import LEFT, set_up, take_away
from assetdb.settings.project import find_project

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Json, Option, Project
    from assetdb.history.configuration.setup import Step


class GitSetupOptions(CommonOptions):
    """The options of ``assetdb git-setup``."""

    project: Project = None
    remove: Annotated[bool, Option("--remove", help="Undo the setup, and change nothing else.")] = False
    no_hook: Annotated[
        bool, Option("--no-hook", help="Install no hook, where pre-commit or another tool runs the check.")
    ] = False
    merge_hook: Annotated[
        bool, Option("--merge-hook", help="Report what each merge or pull broke, without stopping it.")
    ] = False
    merge: Annotated[bool, Option("--merge", help="Let git merge scenes, prefabs, assets and metas by object.")] = False
    tool: Annotated[
        str | None,
        Option(
            "--tool",
            metavar="PROGRAM",
            help="With --merge: Unity's UnityYAMLMerge, which merges first; what it cannot, assetdb merges.",
        ),
    ] = None
    attributes: Annotated[
        bool, Option("--attributes", help="Show names also in files that .gitattributes declares binary or in Git LFS.")
    ] = False
    json: Json = False


def git_setup(options: GitSetupOptions) -> int:
    """Let git show names in diffs, merge by object, and check commits."""
    if options.tool is not None and not options.merge:
        raise UsageError("--tool is of --merge")
    root = find_project(options.project)
    steps: list[Step] = []
    try:
        made = set_up(
            root,
            hook=not options.no_hook,
            merge_hook=options.merge_hook,
            attributes=options.attributes,
            merge=options.merge,
            tool=options.tool or "",
        )
        for step in take_away(root) if options.remove else made:
            steps.append(step)  # noqa: PERF402 - of an error in the middle, what was done before is shown
    finally:
        _show(steps, options)
    return 0


def _show(steps: list[Step], options: GitSetupOptions) -> None:
    for step in steps:
        if options.json:
            print_json(step._asdict())
        elif step.why and not options.quiet:
            say(f"{step.path}: {step.what}: {step.why}")
    if not options.json:
        rows = [(step.state, printable(step.path), step.what) for step in steps if step.state != LEFT]
        if rows:
            print(table(rows))
        elif options.remove and not steps and not options.quiet:
            say("git-setup has changed nothing here")
