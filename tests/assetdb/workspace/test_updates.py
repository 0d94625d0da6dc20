"""What a refresh tells: replaced directories, how much changed, and diagnostics that came or went."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from assetdb.diagnostics import Diagnostic, encode
from assetdb.scan.known.cache import EMPTY, NO_FILES, decode
from assetdb.scan.known.cache import encode as encode_cache
from assetdb.scan.known.file_identities import FILE_NAME as SEEN_NAME
from assetdb.scan.known.file_identities import Made, checksum_of
from assetdb.scan.known.file_identities import encode as encode_seen
from assetdb.scan.workers import ScanResult
from assetdb.state.project_state import ProjectState
from assetdb.store.output import Output
from assetdb.system.identity import DEFAULT
from assetdb.workspace.updates import (
    Update,
    completed_pairs,
    diagnostics_changed,
    have_other_facts,
    much_changed,
    referrers,
    relinked_index,
    replaced,
    update_of,
    with_facts,
)
from tests.assetdb.state.directories import Given, by_path, directory, guid

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.scan.directory import DirectoryFacts

A = directory(b"Assets/A", Given("a.png", 1), Given("b.png", 2, references=(9,), candidates=(8,)))
B = directory(b"Assets/B", Given("c.png", 3))


def said(found: DirectoryFacts, *rows: Diagnostic) -> DirectoryFacts:
    return found._replace(listing_diagnostics=encode(list(rows)))


def test_replaced_directories_are_those_that_are_other_objects() -> None:
    other = B._replace(identity=2)
    assert replaced(by_path(A, B), by_path(A, B)) == []
    assert replaced(by_path(A, B), by_path(A, other)) == [(B, other)]
    assert replaced(by_path(A), by_path(B)) == [(A, None), (None, B)]


def test_replaced_directories_have_their_facts() -> None:
    known = decode(b"".join(encode_cache(b"", NO_FILES, 3, b"", [A, B])))
    found = dict(known.directories)
    other = B._replace(identity=2)
    assert completed_pairs(known, scanned({**found, B.path: other})) == [(B, other)]
    assert completed_pairs(known, scanned({A.path: found[A.path], b"C": A})) == [(B, None), (None, A)]
    assert completed_pairs(known, scanned(found, is_as_known=True)) == []


def scanned(directories: dict[bytes, DirectoryFacts], *, is_as_known: bool = False) -> ScanResult:
    reader = SimpleNamespace(files_read=0, walk_seconds=0.0)
    return ScanResult(directories, reader, 0, is_as_known=is_as_known)  # type: ignore[arg-type]  # its counts


def test_identities_are_no_facts() -> None:
    assert not have_other_facts([])
    assert not have_other_facts([(A, A._replace(identity=5, identities=b"x", contents=b"y"))])
    assert have_other_facts([(A, A), (B, B._replace(references=b"z"))])
    assert have_other_facts([(A, None)])
    assert have_other_facts([(None, A)])


@pytest.mark.parametrize("is_damaged", [False, True])
def test_only_a_sound_index_is_followed(tmp_path: Path, is_damaged: bool) -> None:  # noqa: FBT001 - a row
    output = Output(str(tmp_path))
    state = ProjectState([A, B])
    output.write([state.database], [state.index()])
    files = output.identities()
    known = EMPTY._replace(files=files)
    made = Made(files[1], files[3], 0, DEFAULT)
    checksum = checksum_of(state.index()) ^ is_damaged
    (tmp_path / SEEN_NAME).write_bytes(b"".join(encode_seen(made, (0, 0, b""), checksum)))
    other = directory(b"Assets/A", Given("a.png", 1), Given("b.png", 2, references=(1,)))
    found = relinked_index(output, known, [(A, other)])
    assert found == (None if is_damaged else ProjectState([other, B]).index())
    assert relinked_index(output, known, [(A, A)]) == (None if is_damaged else b"")
    assert relinked_index(output, known, [(A, B._replace(path=A.path))]) is None
    assert relinked_index(output, known, [(A, None)]) is None
    assert relinked_index(output, known, [(A, other)] * 9) is None
    assert relinked_index(output, known._replace(files=(1, 2, 3, 4)), [(A, other)]) is None


@pytest.mark.parametrize(("files", "amount"), [(0, 1), (3, 4), (4, 5), (5, 5)])
def test_files_read_count_up_to_those_of_the_directories(files: int, amount: int) -> None:
    more = directory(b"Assets/A", Given("a.png", 1), Given("new.png", 4))
    kept = directory(b"Assets/A", Given("a.png", 1))
    assert much_changed(files, [(kept, more)]) == amount


def test_assets_that_moved_count() -> None:
    assert much_changed(0, [(A, None), (None, B)]) == 3
    assert much_changed(0, [(A, A._replace(keys=b"x"))]) == 0
    assert much_changed(9, []) == 0


def test_an_update_has_the_guids_of_replaced_files() -> None:
    assert update_of([]) == Update()
    gone = update_of([(A, None)])
    assert gone.replaced == {guid(1).hex(), guid(2).hex()}
    assert (gone.any_replaced, gone.listings_replaced) == (True, False)
    both = update_of([(None, B), (A, None)])
    assert both.replaced == {guid(number).hex() for number in (1, 2, 3)}
    orphan = said(B, Diagnostic("orphan-meta", "Assets/B/x.meta", 0, ""))
    assert update_of([(orphan, B)]).listings_replaced
    assert update_of([(B, None), (None, orphan)]).listings_replaced
    assert update_of([(directory(b"Packages/com.acme.tools"), None)]).listings_replaced  # is it a package any more?
    assert not update_of([(directory(b"Packages/com.acme.tools/Editor"), None)]).listings_replaced


def test_diagnostics_come_and_go() -> None:
    one, two, three = (Diagnostic("missing-meta", path, 0, "") for path in ("a", "b", "c"))
    found = diagnostics_changed([one, two], [two], [(said(A, three), A), (B, said(B, one))])
    assert found == ((), (three,))  # the first is told by the directory now
    assert diagnostics_changed([], [two, one], []) == ((one, two), ())
    assert diagnostics_changed([one], [one], []) == ((), ())


def test_unchanged_directories_stay_the_same_objects() -> None:
    after = by_path(A, directory(b"Assets/C"))
    old, new = with_facts(EMPTY, by_path(A, B), after)
    assert (old, new) == (by_path(A, B), after)
    assert new[b"Assets/A"] is old[b"Assets/A"]


def test_referrers_of_a_guid_are_named() -> None:
    named = A._replace(files=b"a.png/a.png.meta/b.png/b.png.meta")
    assert referrers([named, B], guid(9)) == referrers([named], guid(8)) == ["Assets/A/b.png"]
    assert referrers([named, B], guid(1)) == []
    across = (b"\0" * 12 + guid(9) + guid(8))[4:20]  # the bytes of one over two others
    assert referrers([named], across) == []
