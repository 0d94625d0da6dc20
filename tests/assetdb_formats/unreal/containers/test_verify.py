"""What verifying a container says of it: how much was compared, and each contradiction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb_formats.unreal.containers.pak import open_pak
from assetdb_formats.unreal.containers.verify import VerificationReport, verify_container
from assetdb_formats.unreal.iostore.container import open_container
from assetdb_formats.unreal.iostore.verify import Finding
from tests.assetdb_formats.unreal.containers.making import build, save
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak

if TYPE_CHECKING:
    from pathlib import Path

FILES = [("Content/A.txt", b"first " * 9), ("Content/B.txt", b"second " * 9), ("Content/C.txt", b"third " * 9)]


def verified(path: Path) -> tuple[VerificationReport, list[tuple[int, int]]]:
    seen: list[tuple[int, int]] = []
    with open_pak(str(path)) as pak:
        return verify_container(pak, lambda *counts: seen.append(counts)), seen


def test_every_file_of_a_sound_pak_has_its_hash(tmp_path: Path) -> None:
    path = tmp_path / "a.pak"
    path.write_bytes(write_pak(11, FILES))
    report, seen = verified(path)
    assert report == (str(path), 3, 3, 0, 0, {}, ())
    assert report.clean
    assert seen == [(0, 3), (1, 3), (2, 3)]
    with open_pak(str(path)) as pak:
        assert verify_container(pak) == report


def test_a_changed_file_is_named_and_the_others_are_compared(tmp_path: Path) -> None:
    data = write_pak(11, FILES)
    path = tmp_path / "a.pak"
    path.write_bytes(data.replace(b"second second", b"second Second", 1))
    report, _ = verified(path)
    (finding,) = report.findings
    assert (report.chunks, report.hashed, finding.code) == (3, 2, "hash")
    assert finding.what.endswith("B.txt: its data does not have the SHA-1 that is stored for it")
    assert not report.clean


@pytest.mark.parametrize("unread", [{}, {"without a key": 2}])
def test_only_what_was_read_whole_without_a_finding_is_clean(unread: dict[str, int]) -> None:
    assert VerificationReport("a", 1, 1, 0, 0, unread, ()).clean is not bool(unread)
    assert not VerificationReport("a", 1, 1, 0, 0, unread, (Finding("data", "b"),)).clean


def test_chunks_of_a_table_of_contents_are_counted(tmp_path: Path) -> None:
    path = save(tmp_path, "game", build())
    with open_container(path) as container:
        report = verify_container(container)
    assert (report.container, report.chunks, report.packages, report.findings) == (path, 3, 2, ())
    assert report.hashed + report.unhashed + sum(report.unread.values()) == 3
