"""Inputs out of folders and archives, also of those that were made to hurt."""

from __future__ import annotations

import errno
import io
import ntpath
import os
import zipfile
import zlib
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.files import FileTooLargeError, NotRegularFileError
from assetdb_formats.inputs import (
    LIMITS,
    Archive,
    Folder,
    InputError,
    Window,
    below,
    find_inputs,
    is_archive,
    is_inside,
    moved,
)
from tests.needs import make_pipe, needs_links

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


def shown(place: Path, member: str) -> str:
    """Name a member as the system names files, or as its archive does."""
    return str(place / member) if place.is_dir() else f"{place}/{member}"


def test_what_is_wanted_is_found_and_read_wherever_it_lies(place: Path) -> None:
    found = {one.member: one for one in find_inputs(str(place), is_text)}
    assert set(found) == {"a/one.txt", "a/b/two.txt"}
    one = found["a/one.txt"]
    assert one.name == shown(place, "a/one.txt")
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
    assert (neighbour.name, neighbour.read(largest=LARGE)) == (shown(place, "a/b/two.txt"), b"two")
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


@needs_links
def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "a.txt").write_text("a")
    (tmp_path / "game" / "again").symlink_to(tmp_path, target_is_directory=True)
    assert [one.member for one in find_inputs(str(tmp_path / "game"), anything)] == ["a.txt"]


def test_a_pipe_in_a_folder_is_refused_not_waited_for(tmp_path: Path) -> None:
    make_pipe(tmp_path / "a.txt")
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


def test_a_window_is_a_part_of_a_file() -> None:
    for shared in (False, True):
        whole = io.BytesIO(b"0123456789")
        window = Window(whole, 3, 4, shared=shared)
        assert (window.readable(), window.seekable(), window.read()) == (True, True, b"3456")
        assert (window.read(), window.seek(1), window.read(2), window.read(9)) == (b"", 1, b"45", b"6")
        assert (window.seek(-1, os.SEEK_END), window.read(9)) == (3, b"6")
        assert (window.seek(2), window.seek(-1, os.SEEK_CUR), window.read(1)) == (2, 1, b"4")
        assert (window.seek(9), window.read(1)) == (9, b"")
        with pytest.raises(OSError, match="Invalid argument") as caught:
            window.seek(-1)
        assert caught.value.errno == errno.EINVAL
        window.close()
        assert whole.closed is not shared


def test_a_position_is_never_before_the_beginning() -> None:
    assert [moved(5, 9, *step) for step in ((0, 0), (2, 0), (-5, 1), (1, 1), (-9, 2), (3, 2))] == [0, 2, 0, 6, 0, 12]
    for offset, whence in ((-1, 0), (-6, 1), (-10, 2)):
        with pytest.raises(OSError, match="Invalid argument"):
            moved(5, 9, offset, whence)


def test_names_are_inside_on_every_platform_or_not_at_all() -> None:
    for name in ("a", "a/b", "..a", "a..", "ab:c", "...", "a/.b"):
        assert is_inside(name), name
    for name in ("", ".", "..", "a/..", "a/./b", "/a", "a/", "a//b", "C:", "c:/a", "a\0b"):
        assert not is_inside(name), name


def test_a_place_below_a_folder_is_not_beside_it() -> None:
    folder = os.path.abspath("game")
    assert below(folder, "a/../b") == os.path.join(folder, "b")
    assert [below(folder, relative) for relative in ("../games/b", "../game2", "..", os.path.sep)] == [None] * 4


def test_an_archive_begins_with_one_of_two_marks(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for head, expected in ((b"PK\3\4", True), (b"PK\5\6", True), (b"PK\3\5", False), (b"PK", False), (b"", False)):
        path.write_bytes(head)
        assert is_archive(str(path)) is expected


def test_members_are_read_up_to_the_largest_size_given_and_checked(tmp_path: Path) -> None:
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
        path = make_zip(tmp_path / "a.zip", {"b/two": b"two", "a": b"one" * 100, "c": b""}, method)
        archive = Archive(str(path))
        assert list(archive.names()) == ["a", "b/two", "c"]
        assert (archive.size("a"), archive.head("a", 5), archive.head("c", 5)) == (300, b"oneon", b"")
        assert archive.read("a", largest=300) == b"one" * 100
        assert archive.read("c", largest=0) == b""
        assert archive.stored("b/two")[1] == zlib.crc32(b"two")
        with pytest.raises(InputError) as caught:
            archive.read("a", largest=299)
        assert str(caught.value) == f"{path}: a: has 300 bytes; at most 299 are read of it"
        assert archive.find("b", "two") == archive.find("", "b/two") == "b/two"
        assert archive.find("b", "../a") is archive.find("", "two") is archive.find("a", "two") is None
        data = bytearray(path.read_bytes())
        entry = data.index(b"PK\1\2")
        data[entry + 16] ^= 1
        path.write_bytes(data)
        for limits in (LIMITS, LIMITS._replace(in_memory=2)):
            damaged = Archive(str(path), limits)
            with pytest.raises(InputError, match="b/two: is damaged: its CRC-32 is not the one of the table"):
                damaged.read("b/two", largest=3)
            if method == zipfile.ZIP_DEFLATED:
                with pytest.raises(InputError, match="is damaged"):
                    damaged.open("b/two")


def test_a_member_that_ends_early_or_lies_elsewhere_is_said(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"a": b"one" * 100})
    data = path.read_bytes()
    entry = data.index(b"PK\1\2")
    path.write_bytes(data[: entry + 24] + (400).to_bytes(4, "little") + data[entry + 28 :])
    with pytest.raises(InputError, match="a: is cut off: 300 of 400 bytes"):
        Archive(str(path)).read("a", largest=1000)
    path.write_bytes(data[: entry + 42] + (5).to_bytes(4, "little") + data[entry + 46 :])
    for call in (lambda: Archive(str(path)).head("a", 1), lambda: Archive(str(path)).open("a")):
        with pytest.raises(InputError, match="a: has no header at offset 5"):
            call()


def test_what_is_unpacked_in_all_is_bounded_to_the_byte(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"a": bytes(5000), "b": bytes(5000)})
    size = path.stat().st_size
    exactly = Archive(str(path), LIMITS._replace(ratio=1, freely=10_000 - size))
    assert len(exactly.read("a", largest=5000)) == len(exactly.read("b", largest=5000)) == 5000
    less = Archive(str(path), LIMITS._replace(ratio=1, freely=9_999 - size))
    less.read("a", largest=5000)
    with pytest.raises(InputError, match="unpacks to over 1 times its size") as caught:
        less.read("b", largest=5000)
    assert caught.value.path == str(path)


def test_a_folder_is_walked_in_order_without_folders_of_tools(tmp_path: Path) -> None:
    for name in ("b/x", "a/y", "z", ".git/c", "Temp/c", "obj/c", "node_modules/c", "a/b/w"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    folder = Folder(str(tmp_path))
    assert list(folder.names()) == ["z", "a/y", "a/b/w", "b/x"]
    shown = [one.name for one in find_inputs(f"{tmp_path}{os.sep}", anything)]  # no second slash
    assert shown[1] == os.path.join(str(tmp_path), "a", "y")
    assert (folder.size("a/b/w"), folder.head("a/y", 1), folder.read("z", largest=1)) == (5, b"a", b"z")
    assert (folder.find("a", "b/w"), folder.find("a", "../z"), folder.find("a", "b")) == ("a/b/w", None, None)
    with pytest.raises(FileNotFoundError):
        list(Folder(str(tmp_path / "absent")).names())


def test_a_folder_that_cannot_be_listed_is_told_to_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "good").write_bytes(b"")
    scan = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("bad"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    told: list[OSError] = []
    assert [one.member for one in find_inputs(str(tmp_path), anything, on_refused=told.append)] == ["good"]
    assert [error.filename for error in told] == [str(tmp_path / "bad")]
    assert list(Folder(str(tmp_path)).names()) == ["good"]
