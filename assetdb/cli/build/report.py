"""Unity's report of a build, as ``build info`` and ``trace`` show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import fail, plain, printable, say, table

if TYPE_CHECKING:
    from assetdb.builds.reports.described import Described
    from assetdb.builds.reports.tying import Reports

_LISTED: Final = 8  # messages, modules
_DEPTH: Final = 1  # of the steps that are shown without -v
_MINUTE: Final = 60


def print_report(found: Described, *, everything: bool) -> None:
    """Print a report below the facts of its build."""
    started = f", {found.started.replace('T', ' ')}" if found.started else ""
    rows = [
        ("build report", found.path),
        ("built", f"{found.kind} for {found.platform}: {found.result}{started}, {_time(found.seconds)}"),
        ("options", ", ".join(found.options)),
        ("output", f"{found.output} ({found.size:,} bytes)"),
        ("errors", f"{found.errors:,}" if found.errors else ""),
        ("warnings", f"{found.warnings:,}" if found.warnings else ""),
    ]
    messages = found.messages if everything else found.messages[:_LISTED]
    rows += [(row["kind"], f"{row['step']}: {row['text']}") for row in messages]
    rows += _more("messages", len(found.messages) - len(messages))
    kept = found.kept if everything else found.kept[:_LISTED]
    rows += [("kept", f"{row['name']}: {', '.join(row['reasons']) or 'no reason given'}") for row in kept]
    rows += _more("kept modules", len(found.kept) - len(kept))
    print(f"\n{table([row for row in rows if row[1]])}")
    steps = [row for row in found.steps if everything or row["depth"] <= _DEPTH]
    if steps:
        shown = [(f"{'  ' * row['depth']}{row['name']}", _time(row["seconds"])) for row in steps]
        print(f"\n{table([('step', 'time'), *shown], right=frozenset((1,)))}")
        rest = len(found.steps) - len(steps)
        if rest:
            print(f"and {rest:,} inner step{'s' if rest > 1 else ''} (-v lists them)")


def _more(what: str, count: int) -> list[tuple[str, str]]:
    return [(what, f"and {count:,} more (-v lists them)")] if count > 0 else []


def _time(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), _MINUTE)
    return f"{minutes} min {rest:02} s"


def report_facts(found: Described) -> dict[str, Any]:
    """Return a report for ``--json``."""
    facts = found._asdict()
    for name in ("path", "output", "platform"):
        facts[name] = plain(facts[name])
    facts["steps"] = [{**row, "name": plain(row["name"])} for row in found.steps]
    facts["messages"] = [{key: plain(value) for key, value in row.items()} for row in found.messages]
    facts["kept"] = [{"name": plain(row["name"]), "reasons": list(map(plain, row["reasons"]))} for row in found.kept]
    return facts


def say_unused(reports: Reports, *, is_given: bool, quiet: bool) -> int:
    """Say why a report is not used; return 2 if given."""
    unused = reports.problem()
    if unused and is_given:
        return fail(unused)
    if unused and not quiet:
        say(printable(unused))
    return 0
