"""A missing library is named with the command that installs it."""

from __future__ import annotations

import json

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.extras import MissingExtraError, advice, import_extra


class OtherError(MissingExtraError):
    """An error of one family of formats."""


def test_a_library_is_imported_or_its_extra_named() -> None:
    assert import_extra("json", "aes", "is encrypted") is json
    for kind in (MissingExtraError, OtherError):
        with pytest.raises(FormatError) as caught:
            import_extra("no_such_library", "aes", "is encrypted", field="header", error=kind)
        assert type(caught.value) is kind
        assert str(caught.value) == "header: is encrypted: pip install 'assetdb[aes]'"
    assert advice("oodle") == "pip install 'assetdb[oodle]'"
