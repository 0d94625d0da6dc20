"""``assetdb lsp``."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Final

from assetdb.cli.terminal import claim_stdout, say
from assetdb.lsp.protocol.handshake import serve
from assetdb.settings.project import find_project

if TYPE_CHECKING:
    from assetdb.cli.arguments import DatabaseOptions

_YOUNG: Final = 50_000
"""So many objects are made before Python looks for cycles among them: with its 700 that took a third of the outline of
a scene with 110,000 objects."""


def lsp(
    options: DatabaseOptions,
    *,
    stdio: bool = False,  # noqa: ARG001 - some editors say so, and there is no other way
) -> int:
    """Serve names, usages and findings to an editor, by LSP."""
    project = find_project(options.project) if options.project else ""
    if sys.stdin.isatty() and not options.quiet:  # typed in a terminal: it would seem to hang
        say("waiting for an editor to speak on stdin (docs/editors.md)")
    folder = os.path.abspath(options.out_dir) if options.out_dir else None
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
    with claim_stdout() as own:
        return serve(sys.stdin.buffer, own, project, folder)
