"""The registry of commands, one row each.

A command's module has a function of the command's name (``-`` as ``_``), whose parameters declare its words in
typer's way and which returns the exit code; see ``assetdb.cli.options``. A family's module has its own ``COMMANDS``.
A module is imported only when its command is needed.
"""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False  # typing takes 9 ms to import

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

BAKE: Final = "Bake and watch"
ASK: Final = "Ask"
REVIEW: Final = "Review"
CHANGE: Final = "Change"
BUILDS: Final = "Builds"
INTEGRATE: Final = "Integrate"


class Command(NamedTuple):
    """One command, or a family of them.

    ``summary`` is the line of both helps, ``group`` the panel of the list. ``old_words`` maps options
    (``--old``) and values (``--option value``) of the last release, and ``""`` for an argument, to their replacements.
    """

    name: str
    module: str
    summary: str
    group: str = ""
    family: bool = False
    hidden: bool = False
    old_words: Mapping[str, str] = {}

    def load(self) -> Callable[..., int]:
        """Import the command's module and return its function."""
        function: Callable[..., int] = getattr(_imported(self.module), self.name.replace("-", "_"))
        return function

    def rows(self) -> tuple[Command, ...]:
        """Import the family's module and return its commands."""
        rows: tuple[Command, ...] = _imported(self.module).COMMANDS
        return rows


def _imported(module: str) -> Any:  # noqa: ANN401 - a module
    return __import__(module, fromlist=("",))  # importlib's function costs an import of its own


COMMANDS: Final[tuple[Command, ...]] = (
    Command("bake", "assetdb.cli.bake", "Write Library/assetdb/asset-db.bin of a Unity project.", BAKE),
    Command(
        "watch",
        "assetdb.cli.serving.watch",
        "Keep the database current as files change, and serve queries.",
        BAKE,
        old_words={"--poll": "--backend polling"},
    ),
    Command("status", "assetdb.cli.serving.status", "Show the status of the project's daemon.", BAKE),
    Command("stop", "assetdb.cli.serving.stop", "Stop the project's daemon.", BAKE),
    Command("log", "assetdb.cli.serving.log", "Print the log of the project's daemon.", BAKE),
    Command("doctor", "assetdb.cli.review.doctor", "Check the installation, the project, git and editors.", BAKE),
    Command("dump", "assetdb.cli.dump", "Print an asset-db.bin as stable, diffable lines.", BAKE),
    Command("info", "assetdb.cli.asking.info", "Show a project at a glance: assets by type, what is used most.", ASK),
    Command("name", "assetdb.cli.asking.naming", "Name a reference: Player.prefab / Body / Head (MeshRenderer).", ASK),
    Command("guid", "assetdb.cli.asking.naming", "Print the GUID of a path or name.", ASK),
    Command("path", "assetdb.cli.asking.naming", "Print the path of a GUID or name.", ASK),
    Command("find", "assetdb.cli.asking.find", "List assets by name and type, objects by name and component.", ASK),
    Command("ls", "assetdb.cli.asking.ls", "List what a folder, prefab, scene or other asset holds.", ASK),
    Command("get", "assetdb.cli.asking.get", "Print the values of one object as the Inspector would.", ASK),
    Command("deps", "assetdb.cli.asking.deps", "List what an asset refers to, or how it leads to another.", ASK),
    Command("usages", "assetdb.cli.asking.deps", "List references to an asset: file, object, property, line.", ASK),
    Command(
        "graph", "assetdb.cli.asking.graph", "Draw who uses an asset and what it needs, as SVG, DOT or Mermaid.", ASK
    ),
    Command(
        "unused",
        "assetdb.cli.review.unused",
        "List assets that no build root reaches.",
        ASK,
        old_words={"": "--roots before each pattern", "--root": "--roots"},
    ),
    Command("packages", "assetdb.cli.asking.packages", "List required packages and who uses them.", ASK),
    Command("coverage", "assetdb.cli.review.coverage", "Count references, and those that have a name.", ASK),
    Command("check", "assetdb.cli.review.check", "Report what is broken, where, and what to do about it.", REVIEW),
    Command("diff", "assetdb.cli.history.diff", "Show what changed between two revisions, or two projects.", REVIEW),
    Command(
        "history", "assetdb.cli.history.history", "Show an asset's life in git, through moves, by its GUID.", REVIEW
    ),
    Command("report", "assetdb.cli.review.report", "Write a page to look at a project: one file, no network.", REVIEW),
    Command("rule", "assetdb.cli.review.rule", "Explain a diagnostic code.", REVIEW),
    Command(
        "annotate", "assetdb.cli.history.annotate", "Print YAML with names as comments, also for git diff.", REVIEW
    ),
    Command(
        "merge",
        "assetdb.cli.merging.merge",
        "Merge three versions of a scene, prefab, asset or meta by object.",
        REVIEW,
    ),
    Command("resolve", "assetdb.cli.merging.resolve", "Answer the open values of a merge, one by one.", REVIEW),
    Command("register", "assetdb.cli.changing.register", "Write the metas that files and folders lack.", CHANGE),
    Command("mv", "assetdb.cli.changing.mv", "Move or rename assets with their metas.", CHANGE),
    Command("rm", "assetdb.cli.changing.rm", "Remove assets with their metas, unless others refer to them.", CHANGE),
    Command("trace", "assetdb.cli.build.trace", "Follow assets to what was built from them, and back.", BUILDS),
    Command("groups", "assetdb.cli.build.groups", "Show what Addressables groups would build and duplicate.", BUILDS),
    Command("build", "assetdb.cli.build", "Examine players and bundles as a whole.", BUILDS, family=True),
    Command(
        "catalog",
        "assetdb.cli.catalog",
        "Read, verify, compare and edit Addressables catalogs.",
        BUILDS,
        family=True,
    ),
    Command("bundle", "assetdb.cli.bundle", "Read .casset and UnityFS bundles.", BUILDS, family=True),
    Command("unreal", "assetdb.cli.unreal", "Read Unreal packages and IoStore containers.", BUILDS, family=True),
    Command(
        "lsp", "assetdb.cli.serving.lsp", "Serve names, usages and findings to an editor (LSP, on stdio).", INTEGRATE
    ),
    Command("mcp", "assetdb.cli.serving.mcp", "Serve answers to an AI assistant (MCP, on stdio).", INTEGRATE),
    Command(
        "git-setup",
        "assetdb.cli.history.git_setup",
        "Let git show names in diffs, merge by object, check before commits.",
        INTEGRATE,
    ),
    Command(
        "unity-setup",
        "assetdb.cli.changing.unity_setup",
        "Add the package for Unity's editor to a project.",
        INTEGRATE,
    ),
    Command("export", "assetdb.cli.export", "Write a project's tables for DuckDB, Spark, pandas or SQLite.", INTEGRATE),
    Command("help", "assetdb.cli.reading.help", "Show the help of a command.", hidden=True),
)


def find_command(path: tuple[str, ...]) -> Command:
    """Return a command's row by its words; raise LookupError without one."""
    rows = COMMANDS
    for name in path[:-1]:
        rows = _row(rows, name).rows()
    return _row(rows, path[-1])


def _row(rows: tuple[Command, ...], name: str) -> Command:
    for row in rows:
        if row.name == name:
            return row
    raise LookupError(name)
