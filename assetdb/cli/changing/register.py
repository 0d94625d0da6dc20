"""``assetdb register``."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from assetdb.checks.mending.moving import plan_registration
from assetdb.cli.asking import opened
from assetdb.cli.changing import asset_paths, carry_out, place_of, reporting, say_proposals
from assetdb.cli.terminal import print_json, printable
from assetdb.settings.project import META
from assetdb.unity.metas.meta import read_meta

if TYPE_CHECKING:
    from assetdb.cli.arguments import SnapshotOptions
    from assetdb.cli.options import Annotated, Argument, DryRun, Json, Option, TrustJournal


def register(
    options: SnapshotOptions,
    paths: Annotated[list[str], Argument(metavar="PATH", help="Files or folders, including the contents of folders.")],
    dry_run: DryRun = False,
    new_guid: Annotated[
        bool, Option("--new-guid", help="Give new GUIDs, even if git or references know older ones.")
    ] = False,
    trust_journal: TrustJournal = False,
    json: Json = False,
) -> int:
    """Write the metas that files and folders lack."""
    root, folder = place_of(options, paths, dry_run=dry_run, trust_journal=trust_journal)
    options.project = root
    with closing(opened(options)) as project:
        plan = plan_registration(project, asset_paths(root, paths), new_guids=new_guid)
    carry_out(plan, root, folder, dry_run=dry_run, as_json=json)
    with reporting():
        for edit in plan.edits:
            if edit.after is None:  # a meta that went to where its asset is
                continue
            guid, facts, _ = read_meta(edit.after)
            path = edit.path.removesuffix(META)
            if json:
                print_json({"path": path, "guid": guid.decode(), "importer": facts.importer})
            elif not dry_run:
                print(printable(f"{path}  {guid.decode()}"))
        if not options.quiet or json:
            say_proposals(plan, as_json=json)
    return 1 if plan.proposals else 0
