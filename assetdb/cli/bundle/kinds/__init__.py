"""The kinds of bundles, one module each, behind the same questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.bundle.each import title
from assetdb.cli.bundle.inputs import CASSET
from assetdb.cli.bundle.kinds.questions import Title
from assetdb.cli.terminal import print_json

if TYPE_CHECKING:
    from assetdb.cli.bundle.kinds.questions import Answer, Questions


def questions_to(kind: str) -> Questions:
    """Return the module of a kind of bundle."""
    if kind == CASSET:
        from assetdb.cli.bundle.kinds import casset  # noqa: PLC0415 - a bundle is of one kind

        return casset
    from assetdb.cli.bundle.kinds import unityfs  # noqa: PLC0415 - the same

    return unityfs


def print_answer(answer: Answer, number: int = 0, *, several: bool = False) -> int:
    """Print an answer; return its exit code."""
    while True:
        try:
            part = next(answer)
        except StopIteration as end:
            code: int = end.value
            return code
        if isinstance(part, Title):
            title(part.name, number, several=several)
        elif isinstance(part, str):
            print(part)
        else:
            print_json(part)
