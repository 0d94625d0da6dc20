"""Families of commands whose words argparse still reads."""

from __future__ import annotations

from importlib import import_module

from assetdb.cli.commands import COMMANDS

_WITH_VALUE = ("--project", "--out-dir")
_WITHOUT_VALUE = ("-q", "--quiet", "-v", "--verbose", "--json")


def read_family(words: list[str]) -> int | None:
    """Run the command line of a family that argparse reads, and return its exit code; None where it is another's."""
    words = [*words[1:], "--help"] if words[:1] == ["help"] else list(words)
    options: list[str] = []
    while words and words[0].startswith("-"):
        if words[0] in _WITH_VALUE and len(words) > 1:
            options.append(words.pop(0))
        elif words[0] not in _WITHOUT_VALUE:
            return None
        options.append(words.pop(0))
    row = next((row for row in COMMANDS if row.family and words and row.name == words[0]), None)
    if row is None:
        return None
    module = import_module(row.module)
    if not hasattr(module, "add_arguments"):
        return None
    from assetdb.cli import failure  # noqa: PLC0415 - only where a family is asked for
    from assetdb.cli.parsing import Parser  # noqa: PLC0415 - the same

    parser = Parser(prog=f"assetdb {row.name}", description=row.summary, allow_abbrev=False)
    module.add_arguments(parser)
    arguments = parser.parse_args([*options, *words[1:]])
    try:
        return int(module.run(arguments))
    except Exception as error:
        code = failure(error)
        if code is None:
            raise
        return code
