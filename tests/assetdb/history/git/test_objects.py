"""Blobs of a repository, in the order in which they are asked for; those of a partial clone may be missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.errors import HistoryError
from assetdb.history.git.objects import fetch_absent, read_all_blobs, read_blobs
from assetdb.history.git.repository import Repository
from tests.assetdb.history.git_project import commit, git

if TYPE_CHECKING:
    from pathlib import Path

ABSENT = "1" * 40
CONTENTS = {"a": b"first\n", "b": b"", "c": b"x" * 3000}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("repository")
    for name, data in CONTENTS.items():
        (made / name).write_bytes(data)
    git(made, "init", "-q", "-b", "main")
    git(made, "config", "uploadpack.allowFilter", "true")
    git(made, "config", "uploadpack.allowAnySHA1InWant", "true")
    commit(made)
    return made


def names(root: Path) -> list[str]:
    return [git(root, "rev-parse", f"HEAD:{name}").strip() for name in CONTENTS]


def test_blobs_are_read_or_left_in_their_order(root: Path) -> None:
    repository = Repository(str(root))
    one, two, three = names(root)
    found = [
        blob and (blob.size, b"".join(blob.pieces())) for blob in read_blobs(repository, [three, ABSENT, two, one])
    ]
    assert found == [(3000, CONTENTS["c"]), None, (0, b""), (6, b"first\n")]
    left = read_blobs(repository, [three, one])
    next(left)
    second = next(left)
    assert second is not None
    assert b"".join(second.pieces()) == b"first\n"
    left.close()  # type: ignore[attr-defined]  # a generator
    assert list(read_blobs(repository, [])) == []


def test_an_object_that_is_no_blob_is_an_error(root: Path) -> None:
    tree = git(root, "rev-parse", "HEAD^{tree}").strip()
    with pytest.raises(HistoryError, match=f"{tree} is not a file"):
        list(read_blobs(Repository(str(root)), [tree]))


def test_blobs_that_are_all_needed_are_an_error_if_one_is_missing(root: Path) -> None:
    repository = Repository(str(root))
    (one, *_) = names(root)
    assert [b"".join(blob.pieces()) for blob in read_all_blobs(repository, [one, one])] == [b"first\n"] * 2
    with pytest.raises(HistoryError) as caught:
        list(read_all_blobs(repository, [one, ABSENT]))
    assert str(caught.value) == (
        f"the repository has no object {ABSENT}: a clone with --filter leaves some out; git fetch --refetch brings"
        " them, and git fsck says what is damaged"
    )


@pytest.fixture
def clone(root: Path, tmp_path: Path) -> Path:
    """A clone without any blob."""
    git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", root.as_uri(), "clone")
    return tmp_path / "clone"


def test_a_partial_clone_lacks_blobs_until_it_may_fetch_them(root: Path, clone: Path) -> None:
    oids = names(root)
    assert list(read_blobs(Repository(str(clone)), oids)) == [None] * 3
    fetch_absent(Repository(str(clone)), oids)  # it may not
    assert list(read_blobs(Repository(str(clone)), oids)) == [None] * 3
    fetch_absent(Repository(str(clone), fetch=True), oids[:1])
    found = [blob and b"".join(blob.pieces()) for blob in read_blobs(Repository(str(clone)), oids)]
    assert found == [b"first\n", None, None]
    found = [blob and b"".join(blob.pieces()) for blob in read_blobs(Repository(str(clone), fetch=True), oids)]
    assert found == [b"first\n", b"", b"x" * 3000]


def test_a_server_that_is_gone_is_an_error_of_the_fetch(root: Path, clone: Path) -> None:
    git(clone, "config", "remote.origin.url", f"file://{clone}/none")
    with pytest.raises(HistoryError, match="git fetch in "):
        fetch_absent(Repository(str(clone), fetch=True), names(root))
