"""Cases of a test that run where long tests do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable


def long_after(count: int, values: Iterable[object]) -> list[object]:
    """Return cases for ``parametrize``; those after the first ``count`` are marked long."""
    cases = list(values)
    later = (case if type(case) is tuple else (case,) for case in cases[count:])
    return [*cases[:count], *(pytest.param(*case, marks=pytest.mark.long) for case in later)]
