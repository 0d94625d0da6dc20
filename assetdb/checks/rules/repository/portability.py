"""Names that a clone on another system cannot have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import UNPORTABLE_NAME
from assetdb.diagnostics.codes import WARNING
from assetdb.settings.project import META
from assetdb.unity.portability import LONGEST_PATH, USUAL_ROOT, fault_of_name, may_be_odd, twins

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.memo.view import View

_ASCII_CASE: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def find_names(project: View) -> Iterator[Finding]:
    """Yield names that a clone on another system cannot have."""
    longest = LONGEST_PATH - USUAL_ROOT - len(project.repository_prefix)
    for folder, names in project.folders():
        if may_be_odd("/".join(names)):
            for name in names:
                fault = fault_of_name(name)
                if fault:
                    yield Finding.of(UNPORTABLE_NAME, f"{folder}/{name}", f"{fault}: git cannot check it out there")
        if _may_be_twins(names):
            for group in twins(names):
                for name in group[1:]:
                    said = f"differs from {group[0]} in case or Unicode form alone: Windows and macOS keep one of them"
                    yield Finding.of(UNPORTABLE_NAME, f"{folder}/{name}", said)
        room = longest - len(folder) - 1
        for name in names if max(map(len, names), default=0) + len(META) > room else ():
            length = len(name) + len(META) - room + LONGEST_PATH
            if length > LONGEST_PATH:
                said = (
                    f"its .meta has a path of {length} characters in a usual folder of Windows, which allows"
                    f" {LONGEST_PATH} unless long paths are switched on in Windows and in git"
                )
                yield Finding.of(UNPORTABLE_NAME, f"{folder}/{name}", said)._replace(severity=WARNING)


def _may_be_twins(names: Sequence[str]) -> bool:
    """Whether names may be twins: a fast, coarse test."""
    text = "/".join(names)
    return not text.isascii() or len(set(text.translate(_ASCII_CASE).split("/"))) < len(names)
