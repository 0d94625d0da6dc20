"""``assetdb name QUERY`` without argparse, which takes as long as everything else of a lookup: 10 ms with 12 commands.

Only plain words are understood here; for anything else (help, a mistake) the parser is asked, which knows better.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_VALUES: Final = {"--project": "project", "--out-dir": "out_dir"}
_STDIN: Final = "-"


class Words:
    """What argparse would have made of the words."""

    def __init__(self) -> None:
        self.project: str | None = None
        self.out_dir: str | None = None
        self.json = False
        self.queries: list[str] = []


def read_words(words: list[str]) -> Words | None:
    """Return what the words behind ``name`` say, or None where argparse should read them."""
    found = Words()
    rest = iter(words)
    for word in rest:
        if word in _VALUES:
            value = next(rest, _STDIN)
            if value.startswith("-"):
                return None
            setattr(found, _VALUES[word], value)
        elif word == "--json":
            found.json = True
        elif word.startswith("-") and word != _STDIN:
            return None
        else:
            found.queries.append(word)
    return found if found.queries else None


def answer(words: list[str]) -> int | None:
    """Run ``assetdb name`` and return its exit code, or None where argparse should."""
    arguments = read_words(words)
    if arguments is None:
        return None
    from assetdb.cli.name import run  # noqa: PLC0415 - only when it is known to be needed

    try:
        return run(arguments)
    except Exception as error:
        from assetdb.cli import failure  # noqa: PLC0415 - only when something is wrong

        code = failure(error)
        if code is None:
            raise
        return code
