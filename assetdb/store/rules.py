"""What a project's settings say, ready to be used: where its files are, what is looked at, how names are made."""

from __future__ import annotations

import os
import time

from assetdb.project import CONFIGURATION_NAME
from assetdb.scan import seen
from assetdb.scan.tree import Tree
from assetdb.store.output import Output
from assetdb.system.identity import Identities

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.settings.effective import Settings

    Sanitize = Callable[[str], str | None]


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
