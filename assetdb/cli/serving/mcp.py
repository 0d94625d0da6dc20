"""``assetdb mcp``."""

from __future__ import annotations

import os
import sys

from assetdb.cli.terminal import claim_stdout, say
from assetdb.mcp.server import serve

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb.cli.arguments import DatabaseOptions


def mcp(options: DatabaseOptions, *, allow_write: bool = False) -> int:
    """Serve answers to an AI assistant by the Model Context Protocol."""
    if sys.stdin.isatty() and not options.quiet:  # typed in a terminal: it would seem to hang
        say("waiting for an assistant to speak on stdin (docs/agents.md)")
    folder = os.path.abspath(options.out_dir) if options.out_dir else None
    with claim_stdout() as own:
        return serve(sys.stdin.buffer, own, options.project, folder, may_write=allow_write)
