"""Facts lie outside the modules that a wheel compiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from assetdb.unity import facts

HERE = Path(facts.__file__).parent


@pytest.mark.parametrize("reader", ["metas/meta.py", "referring/references.py"])
def test_a_reader_declares_no_tuple(reader: str) -> None:
    """Compiled, a class made of ``NamedTuple`` loads ``typing``, and ``name`` reads the meta of a model."""
    assert "NamedTuple" not in (HERE / reader).read_text()


def test_no_references_are_one_object() -> None:
    assert facts.ImporterFacts().references is facts.NO_REFERENCES  # which is how readers ask for it
