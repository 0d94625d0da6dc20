"""The command line of a script: names and defaults, which its documentation describes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

Given: TypeAlias = argparse.Namespace
Main: TypeAlias = Callable[[Given], "bool | None"]


def script(documentation: str | None, *places: str, **options: object) -> Callable[[Main], Main]:
    """Declare the command line of a script's last function, which is called where the script is started.

    Args:
        documentation: of the script, which ``--help`` prints.
        places: names of paths; ``+``, ``*`` or ``?`` after a name is how many there may be, ``=a|b`` that it is one
            of these words. A ``project`` or ``projects`` must be folders of Unity projects.
        options: defaults by name. A type is that of an option without a default, False is a switch, a list is what is
            given several times, a tuple holds the choices, the default first.
    """

    def start(main: Main) -> Main:
        """Start a script, which fails where its function returns True."""
        if main.__module__ == "__main__":
            given = _parser(documentation, places, options).parse_args()
            _check_projects(given)
            sys.exit(main(given))
        return main

    return start


def _check_projects(given: Given) -> None:
    """End with one line if a folder is not a project."""
    from assetdb.errors import ProjectError  # noqa: PLC0415 - what a script has in memory counts for what it starts
    from assetdb.settings.project import find_project  # noqa: PLC0415 - the same

    for path in (getattr(given, "project", None), *getattr(given, "projects", ())):
        try:
            if path is not None:
                find_project(path)
        except ProjectError as error:
            sys.exit(str(error))


def _parser(documentation: str | None, places: tuple[str, ...], options: dict[str, object]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    for place in places:
        name, _, words = place.partition("=")
        if words:
            parser.add_argument(name, choices=words.split("|"))
            continue
        name = place.rstrip("+*?")
        parser.add_argument(name, nargs=place[len(name) :] or None, type=Path, metavar=name.upper())
    for name, default in options.items():
        flag = f"--{name.replace('_', '-')}"
        if default is False:
            parser.add_argument(flag, action="store_true")
        elif isinstance(default, type):
            parser.add_argument(flag, type=default)
        elif isinstance(default, list):
            parser.add_argument(flag, action="append", default=default)
        elif isinstance(default, tuple):
            parser.add_argument(flag, choices=default, default=default[0])
        else:
            parser.add_argument(flag, type=type(default), default=default)
    return parser
