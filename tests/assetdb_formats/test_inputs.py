"""Inputs out of folders and archives, also of those that were made to hurt."""

from __future__ import annotations

import io
import ntpath
import os
import zipfile
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.files import FileTooLargeError, NotRegularFileError
from assetdb_formats.inputs import LIMITS, Archive, Folder, InputError, below, find_inputs, is_inside

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LARGE = 1 << 20


def anything(_: str) -> bool:
    return True


def is_text(name: str) -> bool:
    return name.endswith(".txt")


def make_zip(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


@pytest.fixture(params=["folder", "deflated", "stored"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same three files in a folder and in archives."""
    files = {"a/one.txt": b"one" * 1000, "a/b/two.txt": b"two", "three.bin": b"\0\1"}
    if request.param != "folder":
        method = zipfile.ZIP_DEFLATED if request.param == "deflated" else zipfile.ZIP_STORED
        return make_zip(tmp_path / "game.apk", files, method)
    for name, data in files.items():
        path = tmp_path / "game" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path / "game"


def test_what_is_wanted_is_found_and_read_wherever_it_lies(place: Path) -> None:
    found = {one.member: one for one in find_inputs(str(place), is_text)}
    assert set(found) == {"a/one.txt", "a/b/two.txt"}
    one = found["a/one.txt"]
    assert one.name == f"{place}/a/one.txt"
    assert (one.size, one.head(4)) == (3000, b"oneo")
    assert one.read(largest=LARGE) == b"one" * 1000
    with one.open() as stream:
        stream.seek(2997)
        assert stream.read() == b"one"
        stream.seek(-3, os.SEEK_END)
        assert (stream.tell(), stream.read(2)) == (2997, b"on")
    with pytest.raises((InputError, FileTooLargeError)):
        one.read(largest=2999)


def test_neighbours_are_below_the_file_and_nowhere_else(place: Path) -> None:
    one = next(one for one in find_inputs(str(place), is_text) if one.member == "a/one.txt")
    neighbour = one.beside("b/two.txt")
    assert neighbour is not None
    assert (neighbour.name, neighbour.read(largest=LARGE)) == (f"{place}/a/b/two.txt", b"two")
    for elsewhere in ("../three.bin", "absent", "/etc/passwd", "b", "b/../../three.bin"):
        assert one.beside(elsewhere) is None, elsewhere


def test_a_file_that_is_named_is_an_input_whatever_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").write_bytes(b"x")
    (tmp_path / "y").write_bytes(b"y")
    (one,) = find_inputs("x", is_text)
    assert (one.name, one.path, one.read(largest=1)) == ("x", "x", b"x")
    neighbour = one.beside("y")
    assert neighbour is not None
    assert (neighbour.name, neighbour.read(largest=1)) == ("y", b"y")
    assert one.beside(f"../{tmp_path.name}x/y") is None


def test_a_member_is_unpacked_to_a_temporary_file_where_it_is_large(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"large": b"ab" * 5000})
    for limit in (9_999, 10_000):
        with Archive(str(path), LIMITS._replace(in_memory=limit)).open("large") as stream:
            assert isinstance(stream, io.BytesIO) == (limit == 10_000)
            assert stream.read() == b"ab" * 5000


@pytest.mark.parametrize(
    "name", ["../up.txt", "/etc/passwd", "a/../../b.txt", "C:/x.txt", "a//b.txt", "./a.txt", "\\x"]
)
def test_names_that_lead_out_are_no_inputs(name: str, tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"good.txt": b"", name: b"bad"})
    assert [one.member for one in find_inputs(str(path), anything)] == ["good.txt"]
    assert not is_inside(name.replace("\\", "/"))


def test_links_in_an_archive_are_no_inputs(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("good.txt", "")
    assert [one.member for one in find_inputs(str(tmp_path / "a.zip"), anything)] == ["good.txt"]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "a.txt").write_text("a")
    (tmp_path / "game" / "again").symlink_to(tmp_path, target_is_directory=True)
    assert [one.member for one in find_inputs(str(tmp_path / "game"), anything)] == ["a.txt"]


def test_a_pipe_in_a_folder_is_refused_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    (one,) = find_inputs(str(tmp_path), anything)
    with pytest.raises(NotRegularFileError):
        one.read(largest=LARGE)


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "bomb.zip", {f"{number}": bytes(1 << 20) for number in range(9)})
    archive = Archive(str(path), LIMITS._replace(ratio=2, freely=3 << 20))
    for number in range(3):
        assert len(archive.read(f"{number}", largest=1 << 20)) == 1 << 20
    with pytest.raises(InputError, match="unpacks to over 2 times its size"):
        archive.read("3", largest=1 << 20)
    with pytest.raises(InputError, match="unpacks to over 2 times its size"), archive.open("4") as stream:
        stream.read()


def test_members_that_overlap_are_refused(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"a": os.urandom(5000), "b": b""})
    data = bytearray(path.read_bytes())
    entry = data.rindex(b"PK\x01\x02")
    first = data.index(b"PK\x01\x02")
    data[entry + 10 : entry + 28] = data[first + 10 : first + 28]  # the same bytes once more
    data[entry + 42 : entry + 46] = data[first + 42 : first + 46]
    path.write_bytes(data)
    with pytest.raises(InputError, match="overlap"):
        Archive(str(path))


def test_a_table_out_of_proportion_is_not_read(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {f"{number}": b"" for number in range(100)})
    with pytest.raises(InputError, match="has 100 members; at most 99 are read"):
        Archive(str(path), LIMITS._replace(members=99))
    with pytest.raises(InputError, match="its table has"):
        Archive(str(path), LIMITS._replace(directory=1000))
    assert len(list(Archive(str(path), LIMITS._replace(members=100)).names())) == 100


def test_a_walk_has_an_end(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}").mkdir()
    assert list(Folder(str(tmp_path), LIMITS._replace(folders=6)).names()) == []
    with pytest.raises(InputError, match="has over 5 folders"):
        list(Folder(str(tmp_path), LIMITS._replace(folders=5)).names())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:-30], "not a zip file"),
        (lambda data: data.replace(b"PK\x03\x04", b"PK\x07\x07", 2)[:0] + b"PK\x03\x04" + bytes(80), "not a zip file"),
        (lambda data: data.replace(b"PK\x01\x02", b"PK\x01\x03"), "[Bb]ad magic"),
    ],
)
def test_a_damaged_archive_is_a_typed_error(change: Callable[[bytes], bytes], message: str, tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"a.txt": b"text"})
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(InputError, match=message) as caught:
        list(find_inputs(str(path), anything))
    assert caught.value.path == str(path)


@pytest.mark.parametrize("at", range(0, 220, 3))
def test_a_damaged_byte_is_a_typed_error_or_harmless(at: int, tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"a.txt": b"text" * 20, "b.txt": b"b"})
    data = bytearray(path.read_bytes())
    for value in (0, 0xFF, data[at % len(data)] ^ 1):
        damaged = bytearray(data)
        damaged[at % len(data)] = value
        path.write_bytes(damaged)
        try:
            for one in find_inputs(str(path), anything):
                one.head(3)
                one.read(largest=LARGE)
                with one.open() as stream:
                    stream.read()
        except (InputError, FileTooLargeError) as error:
            assert str(path) in str(error)  # noqa: PT017 - it may also be harmless


def test_what_is_encrypted_or_packed_otherwise_is_said(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"a.txt": b"text" * 50}, zipfile.ZIP_LZMA)
    with pytest.raises(InputError, match=r"a\.txt: is compressed by method 14"):
        Archive(str(path)).read("a.txt", largest=LARGE)
    data = bytearray(make_zip(tmp_path / "b.zip", {"a.txt": b"text"}).read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "b.zip").write_bytes(data)
    for read in (lambda one: one.read("a.txt", largest=LARGE), lambda one: one.open("a.txt")):
        with pytest.raises(InputError, match=r"a\.txt: is encrypted"):
            read(Archive(str(tmp_path / "b.zip")))


def test_nothing_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        list(find_inputs(str(tmp_path / "absent"), anything))
    assert caught.value.filename == str(tmp_path / "absent")


@pytest.mark.parametrize(
    ("relative", "place"),
    [
        ("Windows/a.bundle", r"C:\Game\aa\Windows\a.bundle"),
        ("../settings.json", None),
        ("D:/other.bundle", None),
        ("//server/share/a.bundle", None),
        ("../aaa/a.bundle", None),
    ],
)
def test_names_that_lead_elsewhere_on_windows(relative: str, place: str | None) -> None:
    assert below(r"C:\Game\aa", relative, ntpath) == place


def test_a_member_without_a_name_is_no_input(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("x", b"1")
        archive.writestr("y", b"2")
    data = (tmp_path / "a.zip").read_bytes()
    directory = data.rindex(b"PK\x01\x02")
    broken = data[: directory + 28] + b"\0\0\1\0" + data[directory + 32 :]  # the name is an extra field now
    (tmp_path / "a.zip").write_bytes(broken)
    assert [file.member for file in find_inputs(str(tmp_path / "a.zip"), lambda _: True)] == ["x"]
