"""What a workspace holds of a project between two refreshes, by which rules it was made, and how it reads."""

from __future__ import annotations

import os
import time

from assetdb.project import CONFIGURATION_NAME
from assetdb.scan import seen
from assetdb.scan.tree import Tree
from assetdb.store.output import Output
from assetdb.system.identity import Identities
from formats.processes import processors
from formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final

    from assetdb.diagnostics import Diagnostic
    from assetdb.scan import cache
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.packed import PackedDirectories
    from assetdb.settings.effective import Settings
    from assetdb.store.database import Database

    Sanitize = Callable[[str], str | None]

_MOST_WORKERS: Final = 8
_MOST_GIVEN_WORKERS: Final = 64  # more only wait for each other, and a slip of the finger forks without end
MANY_ASSETS: Final = 5_000
"""From so many assets on a process beside pays: 5 % of the cold bakes of FPSSample (5,648) and unity-explorer."""

MOST_CHANGED: Final = 1 / 32
"""The share of all assets that are others, from which on to build all anew is quicker."""

MOST_FOLLOWED: Final = 1.0
"""Likewise of a workspace that is kept, which has facts and contents in memory. Of 60,000 assets 24,000 that move, or
20,000 texts, take as long either way (2.5 and 1.8 s; a text counts once, an asset that moves four times); all that move
take 3.7 s anew and 5.8 followed."""


class Options(NamedTuple):
    """How a workspace reads and what it is for.

    Attributes:
        keep: whether refreshes follow the first: then all that they need is held in memory.
        read_only: whether nothing will be saved.
        use_cache: whether what an earlier bake knew is believed.
        as_before: whether names are made as the last bake was told on its command line.
        early_cache: whether the cache is written as soon as one more file can be trusted, and not only where it pays.
        workers: how many processes may read at once; None: one a processor, at most 8.
        may_change_directory: whether the process is ours to ``chdir`` in.
        many_assets: from how many assets on the graph, the cache and what was seen are made in a process of their own,
            where there may be two.
        most_changed: which share of all assets may be others, where the files that are there are brought up to date and
            not made anew.
    """

    keep: bool = False
    read_only: bool = False
    use_cache: bool = True
    as_before: bool = False
    early_cache: bool = False
    workers: int | None = None
    may_change_directory: bool = False
    many_assets: int = MANY_ASSETS
    most_changed: float = MOST_CHANGED

    @property
    def processes(self) -> int:
        """How many processes may work at once."""
        given = self.workers
        return min(given, _MOST_GIVEN_WORKERS) if given is not None else min(processors(), _MOST_WORKERS)


class Listing(NamedTuple):
    """The directories that a scan found, for what is kept beside the database and follows it.

    Attributes:
        directories: all of the project, maybe without their facts.
        complete: fills these in; raises DamagedCacheError.
        is_whole: whether nothing is left out of them by settings.
    """

    directories: Mapping[bytes, DirectoryFacts]
    complete: Callable[[DirectoryFacts], DirectoryFacts]
    is_whole: bool


class Rules:
    """What the settings say, ready to be used; ``configuration`` is the identity of the file that they come from."""

    __slots__ = ("configuration", "output", "sanitize", "settings", "tree")

    def __init__(
        self, settings: Settings, configuration: int, tree: Tree, sanitize: Sanitize | None, output: Output
    ) -> None:
        self.settings = settings
        self.configuration = configuration
        self.tree = tree
        self.sanitize = sanitize
        self.output = output


class Held(NamedTuple):
    """What a refresh replaces as a whole or, whatever fails, not at all.

    Attributes:
        rules: what the settings say.
        known: the cache that ``directories`` may still have their facts in.
        directories: all of the project, by path.
        linked: those of which no event may tell: they are there through links.
        problems: what only the project as a whole shows.
        asset_count: how many entries the database has.
        contents: the bytes of database and index; None where nobody needed them yet.
        database: opened from these, where the workspace is kept.
        is_sound: whether the contents were made here or checked, and not only read.
    """

    rules: Rules
    known: cache.Cache
    directories: dict[bytes, DirectoryFacts] | PackedDirectories
    linked: set[bytes]
    problems: list[Diagnostic]
    asset_count: int
    contents: tuple[bytes, bytes] | None
    database: Database | None
    is_sound: bool = False


def read_rules(
    root: str, read: Callable[[], Settings], sanitize: Sanitize | None, *, may_change_directory: bool
) -> Rules:
    """Read the settings, and what their file was before: a change in between is a change.

    Args:
        root: the project, absolute.
        read: reads its settings.
        sanitize: is given every name before the settings' own rule.
        may_change_directory: whether the process is ours to ``chdir`` in.

    Raises:
        ConfigurationError: ``assetdb.toml`` is wrong.
    """
    since_ns = time.time_ns()
    try:
        configured = os.stat(os.path.join(root, CONFIGURATION_NAME))
    except OSError:  # there is none, or it cannot be read, which the next line says
        configured = None
    settings = read()
    compared = Identities(since_ns, settings.check_stat)
    configuration = compared.of(configured) if configured is not None else seen.ABSENT
    return rules_of(settings, configuration, sanitize, may_change_directory=may_change_directory)


def rules_of(settings: Settings, configuration: int, sanitize: Sanitize | None, *, may_change_directory: bool) -> Rules:
    """Return what settings say, whose file has the identity ``configuration``.

    Raises:
        ConfigurationError: a pattern is none.
    """
    return Rules(
        settings,
        configuration,
        Tree(settings, may_change_directory=may_change_directory),
        settings.sanitizer(sanitize),
        Output(settings.folder, settings.check_stat, settings.root),
    )
