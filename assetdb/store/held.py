"""What a workspace holds of a project between two refreshes, and by which rules it was made."""

from __future__ import annotations

from formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assetdb.diagnostics import Diagnostic
    from assetdb.scan import cache
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.tree import Tree
    from assetdb.settings.effective import Settings
    from assetdb.store.database import Database
    from assetdb.store.output import Output

    Sanitize = Callable[[str], str | None]


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
    """

    rules: Rules
    known: cache.Cache
    directories: dict[bytes, DirectoryFacts]
    linked: set[bytes]
    problems: list[Diagnostic]
    asset_count: int
    contents: tuple[bytes, bytes] | None
    database: Database | None
