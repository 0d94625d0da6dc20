"""Options of ``assetdb bundle``, as classes that a command's function takes whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.arguments import JsonOptions

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, In, Option


class ClassOptions(JsonOptions):
    """Options that choose among objects."""

    classes: Annotated[
        list[str] | None,
        Option("--class", metavar="CLASS", help="Only this class, by name or number; may be repeated."),
    ] = None


class InOptions(JsonOptions):
    """Where to look."""

    inside: In = None


class FindOptions(InOptions, ClassOptions):
    """Options that choose among objects, and places."""


class ReferenceOptions(InOptions):
    """Options of every question about references."""

    engine: Annotated[
        str, Option("--engine", metavar="DIR", help="The folder of CrystalEngine, for the engine's own assets.")
    ] = ""
