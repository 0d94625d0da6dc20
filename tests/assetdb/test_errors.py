"""The tree of errors: what each carries, and that the drawing names every class."""

from __future__ import annotations

import re

import pytest

from assetdb import errors
from assetdb.diagnostics import Diagnostic
from assetdb.errors import AssetdbError, BakeError, DaemonError, RequestError, ScanError

OWN = [found for found in vars(errors).values() if isinstance(found, type) and found.__module__ == errors.__name__]


def test_every_error_of_this_module_is_one_that_assetdb_raises_on_purpose() -> None:
    assert AssetdbError in OWN
    assert all(issubclass(found, AssetdbError) for found in OWN)


@pytest.mark.parametrize("error", OWN)
def test_the_drawing_has_each_error_below_its_parent(error: type[Exception]) -> None:
    rows = [line for line in (errors.__doc__ or "").splitlines() if re.search(rf"\b{error.__name__}\b", line)]
    assert rows, error
    depth = re.search(r"\w", rows[0])
    assert depth is not None
    assert depth.start() == 4 * len([each for each in error.__mro__ if each in OWN])


def test_errors_carry_what_their_readers_need() -> None:
    problem = Diagnostic("duplicate-guid", "a", 0, "x")
    bake = BakeError("two", [problem], "/p", lambda guid: [guid])
    assert (str(bake), bake.diagnostics, bake.root) == ("two", (problem,), "/p")
    assert bake.referrers is not None
    assert bake.referrers("g") == ["g"]
    bare = BakeError("two", [])
    assert (bare.diagnostics, bare.root, bare.referrers) == ((), "", None)
    scan = ScanError("why", "Assets/a", 5)
    assert (str(scan), scan.path, scan.errno) == ("why", "Assets/a", 5)
    request = RequestError(-32000, "no")
    assert (str(request), request.code, isinstance(request, DaemonError)) == ("no", -32000, True)
