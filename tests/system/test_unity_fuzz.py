import pytest

from scripts.fuzz.unity_readers import PARTS, fuzz

COUNT = 20_000


@pytest.mark.long
@pytest.mark.parametrize("part", sorted(PARTS))
def test_mutations_are_read_or_refused(part: str) -> None:
    """20,000 mutations of every part; a million by the script."""
    outcome = fuzz(part, COUNT, seed=20_000)
    assert sum(outcome.counts.values()) == COUNT
    assert outcome.counts["read"] > COUNT // 100
    assert outcome.counts["refused"] + outcome.counts["other"] > COUNT // 100
