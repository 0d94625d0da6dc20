"""`get` and `check` call the same objects damaged; scripts/fuzz/text.py tries more of them."""

from __future__ import annotations

from scripts.fuzz.text import KINDS, RANDOM, cases, run


def test_get_and_check_agree_and_find_what_the_rules_refuse() -> None:
    counts, wrong = run(600, seed=7)
    assert wrong == []
    assert counts["refused by the rules"] > 300
    assert {case.kind for case in cases(600, seed=7)} == {*KINDS, RANDOM}
