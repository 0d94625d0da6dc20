from __future__ import annotations

import pytest

from tests.needs import needs_signals

pytestmark = needs_signals


@pytest.mark.long
@pytest.mark.parametrize("kind", ["loop", "daemon"])
def test_a_few_kills(kind: str) -> None:
    from scripts.fuzz.watch import run  # noqa: PLC0415 - it imports what Windows does not have

    assert run(4, 1, kind) > 0


@pytest.mark.long
def test_fifty_kills() -> None:
    from scripts.fuzz.watch import run  # noqa: PLC0415 - the same

    assert run(50, 2, "daemon") > 10
