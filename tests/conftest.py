"""What all tests share: where the corpus of real files is."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every machine and in every run; and no deadline, for that is a timed assertion.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")

_OWN_SETTINGS = ("ASSETDB_AUTO_WATCH", "ASSETDB_OUT_DIR")

CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True, scope="session")
def _a_user_without_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep what this user has settled for all projects out of the tests, and the tests out of their cache."""
    home = tmp_path_factory.mktemp("user")
    for variable in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        os.environ[variable] = str(home / variable)
    for variable in _OWN_SETTINGS:
        os.environ.pop(variable, None)


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
