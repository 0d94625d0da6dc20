"""``assetdb unity-setup``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.arguments import CommonOptions
from assetdb.cli.terminal import print_json, printable, say, table
from assetdb.errors import ProjectError, UsageError
from assetdb.packages.editor_package import ABSENT, ADDED, LEFT, NAME, address_in, installed_package, set_up, take_away
from assetdb.settings.project import find_project, package_name

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Json, Option, Project


class UnitySetupOptions(CommonOptions):
    """The options of ``assetdb unity-setup``."""

    project: Project = None
    url: Annotated[
        str | None,
        Option(
            "--url", metavar="ADDRESS", help="Require the package of a git repository, for all who have the project."
        ),
    ] = None
    remove: Annotated[
        bool, Option("--remove", help="Take the package out of the manifest, and change nothing else.")
    ] = False
    json: Json = False


def unity_setup(options: UnitySetupOptions) -> int:
    """Add the package for Unity's editor to the project's manifest."""
    if options.remove and options.url is not None:
        raise UsageError("--url is not of --remove")
    root = find_project(options.project)
    if package_name(root):
        raise ProjectError(f"{root} is a package: name the project that is to have {NAME} with --project")
    if options.remove:
        step = take_away(root)
    else:
        step = set_up(root, installed_package() if options.url is None else address_in(options.url))
    if options.json:
        print_json(step._asdict())
    elif step.state in (LEFT, ABSENT):
        say(f"{step.path}: {NAME} {step.state}{f': {step.why}' if step.why else ''}")
    else:
        print(table([(step.state, printable(step.path), printable(f"{NAME}  {step.version}"))]))
        if step.state == ADDED and options.url is None and not options.quiet:
            say("the path is one of this machine: for a team, name the repository with --url")
    return 0
