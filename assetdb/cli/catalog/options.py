"""Options and arguments of ``assetdb catalog`` that several of its commands have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from assetdb.cli.arguments import CommonOptions
from assetdb.cli.options import Argument, Option

if TYPE_CHECKING:
    from assetdb.cli.options import Json

Catalogs = Annotated[
    list[str], Argument(metavar="CATALOG", help="Catalog files, or folders of builds, APKs or zips that hold some.")
]
OneCatalog = Annotated[
    str, Argument(metavar="CATALOG", help="A catalog file, or a folder of a build, an APK or a zip that holds one.")
]
Output = Annotated[str | None, Option("--output", "-o", metavar="FILE", help="The file to write.")]
ToFolder = Annotated[
    str | None, Option("--to", metavar="DIR", help="The folder to write to, under the catalog's own name.")
]
HashFile = Annotated[
    Literal["auto", "spooky", "md5", "none"],
    Option("--hash-file", help="The .hash beside it: auto writes it if the original has one, with its method."),
]
Direct = Annotated[bool, Option("--direct", help="Only direct dependencies, or direct users.")]


class CatalogOptions(CommonOptions):
    """Options of commands that read catalogs."""

    salvage: Annotated[bool, Option("--salvage", help="Read past damage, and report what was lost.")] = False
    intended_prefixes: Annotated[
        bool,
        Option(
            "--intended-prefixes", help="Expand N#rest at the first '#', as its writer intended (Unity uses the last)."
        ),
    ] = False


class CatalogJsonOptions(CatalogOptions):
    """Options of commands that answer in JSON, too."""

    json: Json = False
