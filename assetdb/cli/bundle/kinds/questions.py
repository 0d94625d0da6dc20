"""The questions that every kind of bundle answers.

An answer is yielded part by part: a dictionary is a line of JSON, a text is for people, and a :class:`Title` names the
file or object that the texts behind it are about. What the generator returns is the exit code.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from assetdb.cli.bundle.folder import ExtractionFolder
    from assetdb.cli.bundle.inputs import Matches
    from assetdb.cli.bundle.neighbourhood import Neighbourhood
    from assetdb_formats.casset.project import Project
    from assetdb_formats.inputs import Input


class Title(NamedTuple):
    """The name above a part of an answer, where there are several."""

    name: str


Answer: TypeAlias = Generator[dict[str, Any] | Title | str, None, int]


class VerifiedBundle(NamedTuple):
    """The findings, notes and other facts of a verification."""

    findings: tuple[str, ...]
    notes: tuple[str, ...]
    facts: dict[str, Any]


class Questions(Protocol):
    """The questions to one kind of bundle.

    All raise FormatError or OSError where a file cannot be read. A ``word`` means an object of the file, and nothing
    (``""``) the bundle itself.
    """

    def matches(self, file: Input, word: str) -> Matches:
        """Return the objects and files that a word means."""

    def info(self, file: Input, *, as_text: bool) -> Answer:
        """Yield the facts of a bundle; 1 if it is damaged."""

    def objects(self, file: Input, classes: Collection[str], *, as_text: bool) -> Answer:
        """Yield the objects of some classes, or all."""

    def found(
        self, file: Input, is_wanted: Callable[[str], object], classes: Collection[str]
    ) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
        """Return the objects that match, as table rows and facts."""

    def values(self, file: Input, word: str, *, as_text: bool) -> Answer:
        """Yield the values of an object."""

    def references(self, file: Input, word: str, around: Neighbourhood, *, as_text: bool) -> Answer:
        """Yield the references of a bundle or object; 1 if broken."""

    def users(self, file: Input, word: str, around: Neighbourhood, *, as_text: bool) -> Answer:
        """Yield the users of a bundle or object; 1 without any."""

    def unused(self, around: Neighbourhood, *, as_text: bool) -> Answer:
        """Yield the bundles without a user; 1 if there are any."""

    def verification(self, file: Input, project: Project | None) -> VerifiedBundle:
        """Check a bundle."""

    def difference(self, old: Input, new: Input, *, as_text: bool) -> Answer:
        """Yield the differences of two bundles; 1 if there are any."""

    def extract(self, file: Input, word: str, folder: ExtractionFolder) -> list[str]:
        """Write an object, or a whole bundle; return the paths."""
