"""Command lines: what argparse leaves unsaid when a word is none of its choices."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Final

from assetdb.cli.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

_INVALID: Final = re.compile(r"invalid choice: '(?P<word>[^']*)' \(choose from (?P<choices>.*)\)$")
_UNKNOWN: Final = re.compile(r"unrecognized arguments: (?P<word>--[a-z-]+)")


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that says which command, choice or option was probably meant.

    Python 3.14 has ``suggest_on_error`` for choices; this works on the others and knows
    the options too.
    """

    _words: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - argparse's own signature
        """Parse, and refuse what is unknown: a subcommand's parser would leave that to one without its options."""
        self._words = [str(word) for word in args or ()]
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message with what was meant, and exit with 2."""
        word = ""
        known: list[str] = []
        if first := self._unknown_option(before_all=True):
            word, known, message = first, sorted(self._option_string_actions), f"unrecognized arguments: {first}"
        elif found := _INVALID.search(message):
            word, known = found["word"], [choice.strip(" '") for choice in found["choices"].split(",")]
        elif found := _UNKNOWN.search(message):
            word, known = found["word"], sorted(self._option_string_actions)
        elif unknown := self._unknown_option():  # argparse says only that a word is missing, if one is
            word, known = unknown, sorted(self._option_string_actions)
            message = f"unrecognized arguments: {unknown}"
        from difflib import get_close_matches  # noqa: PLC0415 - only on this error

        close = get_close_matches(word, known, n=1)
        super().error(printable(message + (f"; did you mean {close[0]!r}?" if close else "")))

    def _unknown_option(self, *, before_all: bool = False) -> str:
        """Return the first option of the command line that is none, or ``""``; or of those before all other words."""
        end = next((at for at, word in enumerate(self._words) if word == "--"), len(self._words))
        if before_all:
            end = next((at for at, word in enumerate(self._words) if word[:1] != "-"), end)
        words = (word.partition("=")[0] for word in self._words[:end])
        return next((word for word in words if word[:2] == "--" and word not in self._option_string_actions), "")


def add_manners(parser: argparse.ArgumentParser) -> None:
    """Declare what every command has: ``-q``, ``-v`` and ``-V``."""
    from assetdb.version import VERSION  # noqa: PLC0415 - the parser of most commands does without

    parser.add_argument("-q", "--quiet", action="store_true", help="print answers and errors only, no notes")
    parser.add_argument("-v", "--verbose", action="store_true", help="print all that notes give examples of")
    parser.add_argument("-V", "--version", action="version", version=f"assetdb {VERSION}")


def positive(text: str) -> int:
    """Return a whole number above zero, for ``type=``.

    Raises:
        ArgumentTypeError: it is none.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)
