"""What all tests share: where the corpus of real files is."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("fixed", derandomize=True)  # the same examples on every machine and in every run
settings.load_profile("fixed")

CHECKOUT = Path(__file__).resolve().parent.parent


@cache
def corpus_folder(name: str) -> Path | str:
    """Return the folder that holds corpus ``name`` unpacked, or the reason why there is none."""
    marker = f".{name.replace('/', '_')}.done"
    root = Path(os.environ.get("ASSETDB_CORPUS", "~/.cache/assetdb-corpus")).expanduser()
    if not (root / marker).is_file():
        unpack = CHECKOUT.parent / "shared" / "corpus" / "unpack.py"
        if not unpack.is_file():
            return f"no corpus: neither ASSETDB_CORPUS nor {unpack.name} beside the checkout"
        subprocess.run([sys.executable, str(unpack), name], check=True, stdout=subprocess.DEVNULL)
    return root


@pytest.fixture
def corpus(request: pytest.FixtureRequest) -> Path:
    """Return the folder of the unpacked corpus that the test's ``corpus`` marker names."""
    marker = request.node.get_closest_marker("corpus")
    assert marker is not None, "a test that asks for the corpus is marked @pytest.mark.corpus(NAME)"
    found: Path | str = ""
    for name in marker.args:
        found = corpus_folder(name)
        if isinstance(found, str):
            pytest.skip(found)
    assert isinstance(found, Path)
    return found
