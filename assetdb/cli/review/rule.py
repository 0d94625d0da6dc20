"""``assetdb rule``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.terminal import not_found, painter, print_json
from assetdb.diagnostics.codes import CODES
from assetdb.diagnostics.pages import PAGES
from assetdb.errors import UsageError

if TYPE_CHECKING:
    from assetdb.cli.arguments import CommonOptions
    from assetdb.cli.options import Annotated, Argument, Json, Option


def rule(
    options: CommonOptions,  # noqa: ARG001 - every command has them
    codes: Annotated[
        list[str] | None, Argument(metavar="CODE", complete="codes", help="Diagnostic codes, such as missing-script.")
    ] = None,
    every: Annotated[bool, Option("--all", help="Explain every code.")] = False,
    json: Json = False,
) -> int:
    """Explain codes of findings; 1 where one is unknown."""
    wanted = list(CODES) if every else [code.lower() for code in codes or ()]
    if not wanted:
        raise UsageError("rule: name a code, or --all")
    code = 0
    first = True
    for name in sorted(wanted) if every else wanted:
        if name not in CODES:
            code = not_found(f"there is no code {name!r}", name, CODES)
            continue
        if json:
            row = CODES[name]
            print_json(
                {
                    "code": name,
                    "severity": row.severity,
                    "advice": row.advice,
                    "meaning": row.meaning,
                    **PAGES[name]._asdict(),
                }
            )
        else:
            print("" if first else "\n", end="")
            print("\n".join(_page(name)))
        first = False
    return code


def _page(name: str) -> list[str]:
    row, page = CODES[name], PAGES[name]
    paint = painter()
    lines = [f"{paint(name, 'type')} ({paint(row.severity, row.severity)})", "", page.why, ""]
    if row.meaning:
        lines += [f"For a reference, it means: {row.meaning}.", ""]
    return [*lines, f"    {page.example}", "", f"How to fix it: {page.mend}"]
