"""``assetdb lsp``."""

from __future__ import annotations

import sys

from assetdb.cli.streams import claim_stdout
from assetdb.lsp.protocol.handshake import serve
from assetdb.settings.project import find_project

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Annotated

    from typer import Option

    from assetdb.cli.arguments import OfProject


def lsp(
    options: OfProject,
    stdio: Annotated[  # noqa: ARG001 - some editors say so, and there is no other way
        bool, Option("--stdio", help="Speak on stdin and stdout, which it does anyway.")
    ] = False,
) -> int:
    """Serve names, usages and findings to an editor.

    By the Language Server Protocol.

    With --project that project is there from the start, whatever folders the editor has open.
    """
    project = find_project(options.project) if options.project else ""
    if sys.stdin.isatty() and not options.quiet:  # somebody has typed it to see what it does, and would wait for ever
        print("assetdb: waiting for an editor to speak on stdin (docs/editors.md)", file=sys.stderr)
    with claim_stdout() as own:
        return serve(sys.stdin.buffer, own, project)
