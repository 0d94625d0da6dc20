"""``assetdb rm``."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from assetdb.checks.counting import counted
from assetdb.checks.mending.emptied import with_emptied
from assetdb.checks.mending.moving import plan_removal
from assetdb.checks.mending.users import lines_of
from assetdb.cli.arguments import SnapshotOptions
from assetdb.cli.asking import opened
from assetdb.cli.asking.target import say_unread
from assetdb.cli.changing import asset_paths, carry_out, place_of, print_removed, reporting, say_emptied
from assetdb.cli.fields import fields_of
from assetdb.cli.terminal import print_first, print_json_lines, say
from assetdb.query.completeness import besides, unseen_note
from assetdb.query.graph.users import users_of
from assetdb.settings.project import META

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Argument, DryRun, Json, Option, TrustJournal


class RmOptions(SnapshotOptions):
    """The options of ``assetdb rm``."""

    json: Json = False
    force: Annotated[bool, Option("--force", "-f", help="Remove them even if others refer to them.")] = False
    dry_run: DryRun = False
    trust_journal: TrustJournal = False


def rm(options: RmOptions, paths: Annotated[list[str], Argument(metavar="PATH", help="Files or folders.")]) -> int:
    """Remove assets with their metas, unless others refer to them."""
    root, folder = place_of(options, paths, dry_run=options.dry_run, trust_journal=options.trust_journal)
    options.project = root
    found = asset_paths(root, paths)
    plan = plan_removal(root, found)
    with closing(opened(options)) as project:
        users = users_of(project, found)
        unread = besides(project, found)
        unseen = unseen_note(unread)
        emptied = with_emptied(root, plan, lambda: project)
    refused = bool(users or unseen) and not options.force
    if options.json:
        print_json_lines(fields_of(user, target="refers_to") for user in users)
    elif users and (refused or options.verbose):
        print_first(lines_of(users), every=options.verbose)
    if not options.quiet:
        say_unread(unread, every=options.verbose)
    files = len({user.path for user in users})
    refer = f"{files:,} file{'s refer' if files > 1 else ' refers'} to {'it' if len(found) == 1 else 'them'}"
    if refused:
        say(f"{refer if users else unseen}, so nothing was removed (--force removes anyway)")
        return 1
    if users and not options.quiet:
        say(f"{refer}: {counted(len(users), 'reference')} will lead to nothing (--verbose lists them)")
    is_whole = carry_out(emptied.plan, root, folder, dry_run=options.dry_run, as_json=options.json)
    removed = [path for path in plan.removals if not (path.endswith(META) and path.removesuffix(META) in plan.removals)]
    with reporting():
        print_removed([*removed, *emptied.removed], dry_run=options.dry_run, as_json=options.json)
        if not options.quiet:
            say_emptied(emptied)
    return 0 if is_whole else 1
