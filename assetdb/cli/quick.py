"""``assetdb name QUERY``, ``usages`` and ``deps`` without argparse, which takes as long as all else of a lookup: 10 ms.

Only plain words are understood here; for anything else (help, a mistake) the parser is asked, which knows better.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from assetdb.query.snapshot import Opened

_VALUES: Final = {"--project": "project", "--out-dir": "out_dir", "--type": "type"}
_STDIN: Final = "-"
COMMANDS: Final = {"name": (), "usages": ("--deep", "--objects"), "deps": ("--deep",)}
"""The commands that are understood here, each with its own options."""

_OPTIONS: Final = {**COMMANDS, "find": ("--type",)}


class Words:
    """What argparse would have made of the words."""

    quiet = False
    verbose = False
    deep = False
    objects = False
    no_refresh = False
    synced = False
    opened: Opened | None = None
    """The project, in a daemon that has it open."""
    cwd = ""
    """Working directory of who asks, where it is another than this process's."""

    pattern = ""
    type: Sequence[str] = ()

    def __init__(self) -> None:
        self.project: str | None = None
        self.out_dir: str | None = None
        self.json = False
        self.queries: list[str] = []


def read_words(words: list[str], command: str = "name") -> Words | None:
    """Return what the words behind a command say, or None where argparse should read them."""
    found = Words()
    rest = iter(words)
    for word in rest:
        if word in _VALUES and (word != "--type" or word in _OPTIONS[command]):
            value = next(rest, _STDIN)
            if value.startswith("-"):
                return None
            if word == "--type":
                found.type = (*found.type, value)
            else:
                setattr(found, _VALUES[word], value)
        elif word in ("--json", "--no-refresh") or word in _OPTIONS[command]:
            setattr(found, word[2:].replace("-", "_"), True)
        elif word.startswith("-") and word != _STDIN:
            return None
        else:
            found.queries.append(word)
    return found if found.queries else None


def answer(command: str, words: list[str]) -> int | None:
    """Run a command of :data:`COMMANDS` and return its exit code, or None where argparse should."""
    arguments = read_words(words, command)
    if arguments is None:
        return None
    run: Callable[[Words], int]
    if command == "name":
        from assetdb.cli.name import run  # noqa: PLC0415 - only when it is known to be needed
    elif command == "usages":
        from assetdb.cli.usages import run  # noqa: PLC0415 - the same
    else:
        from assetdb.cli.deps import run  # noqa: PLC0415 - the same

    try:
        return run(arguments)
    except Exception as error:
        from assetdb.cli import failure  # noqa: PLC0415 - only when something is wrong

        code = failure(error)
        if code is None:
            raise
        return code
