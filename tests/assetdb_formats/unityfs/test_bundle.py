"""Synthetic bundles of every format and compression, and SerializedFiles of every version."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, BinaryIO, cast
from zlib import crc32

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.bundle import Bundle, content_crc32, text_asset_bytes
from assetdb_formats.unityfs.serialized_files.loaded import ASSET_BUNDLE, _asset_bundle
from assetdb_formats.unityfs.serialized_files.mainclass import serialized_file_main_class
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr, references
from assetdb_formats.unityfs.types.class_trees import class_tree
from tests.assetdb_formats.unityfs import builder

KINDS = builder.every_kind()
TEXT = "Füße\n".encode() * 40


def opened(data: bytes) -> Bundle:
    return Bundle(BytesIO(data))


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_gives_the_same_objects(name: str) -> None:
    bundle = opened(KINDS[name])
    (file,) = bundle.files()
    facts = file.facts
    assert facts.left_over == 0
    assert [(entry.path_id, entry.class_id) for entry in facts.objects] == [(-20, 114), (1, 142), (10, 49)]
    assert facts.user_information == "user"
    assert [external.path for external in facts.externals] == ["archive:/CAB-0a/CAB-0a", "x.asset"]
    assert facts.externals[1].guid == "0123456789abcdef0123456789abcdef"
    text = facts.objects.find(10)
    assert text is not None
    assert facts.objects[2] == text == facts.objects[-1]
    assert facts.objects.find(11) is None
    assert facts.objects.find(1 << 70) is None
    assert file.text(text) == TEXT
    assert file.name(text) == "notes"
    found = bundle.asset_bundle()
    assert found is not None
    assert [(entry.path, entry.asset) for entry in found[1].container] == [
        ("assets/notes.txt", PPtr(0, 10)),
        ("assets/basket.asset", PPtr(0, -20)),
    ]
    assert (found[1].name, found[1].dependencies, len(found[1].preload)) == ("basket.bundle", ("other",), 2)
    for entry in facts.objects:
        assert file.checked_value(entry)[1] == 0
    assert text_asset_bytes(KINDS[name]) == TEXT


def test_a_script_is_read_with_all_its_fields() -> None:
    (file,) = opened(KINDS["LZ4HC"]).files()
    value = cast("dict[str, Any]", file.value(file.facts.objects[0]))
    assert value["m_Name"] == "Basket"
    assert value["numbers"] == [0.5, -1.0, 2.0]
    assert (value["bytes"], value["blob"]) == (b"abcde", b"xyz")
    assert value["points"] == [{"x": 1.0, "y": 2.0}, {"x": 3.0, "y": 4.0}]
    apple, nothing = value["references"]["RefIds"]
    assert apple["data"] == {"weight": 7, "tree": PPtr(0, 10)}
    assert nothing["data"] == {}
    assert list(references(value)) == [
        ("m_Script", PPtr(1, 4242)),
        ("references.RefIds[0].data.tree", PPtr(0, 10)),
    ]


def test_a_registry_of_version_1_ends_with_a_class_that_does_not_exist() -> None:
    lines = builder.SCRIPT_TREE
    start = lines.index("  vector RefIds")
    old = tuple(line.replace("data", "00000000", 1)[2:] for line in lines[start + 3 : start + 4])
    inner = tuple(line[2:] for line in lines[start + 5 :])
    tree = ("MonoBehaviour Base", *lines[lines.index(" ManagedReferencesRegistry references") :][:2], *old, *inner)
    p = builder.Packer()
    apple = p.string(b"Apple") + p.string(b"Fruit") + p.string(b"Assembly-CSharp") + p("iiq", 7, 0, 10)
    end = p.string(b"Terminus") + p.string(b"UnityEngine.DMAT") + p.string(b"FAKE_ASM")
    thing = builder.Thing(5, 114, p("i", 1) + apple + apple + end)
    data = builder.serialized_file(
        [thing], [builder.Kind(114, tree)], version=21, references=builder.REFERENCES, unity_version="2019.4.0f1"
    )
    (file,) = opened(data).files()
    value, left = file.checked_value(file.facts.objects[0])
    assert left == 0
    registry = cast("dict[str, Any]", value)["references"]
    assert [name for name in registry if name != "version"] == ["00000000", "00000001", "00000002"]
    assert registry["00000001"]["data"]["weight"] == 7


def test_no_type_trees_leave_what_a_bundle_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "UnityPy.helpers.Tpk", None)  # as where the extra is not installed
    class_tree.cache_clear()
    (file,) = opened(KINDS["no trees"]).files()
    assert [file.class_name(entry) for entry in file.facts.objects] == ["114", "AssetBundle", "TextAsset"]
    with pytest.raises(FormatError, match="has no type tree"):
        file.value(file.facts.objects[0])


@pytest.mark.parametrize("name", ["stored", "LZMA", "LZ4", "LZ4HC, info at the end"])
def test_the_checksum_is_that_of_all_decoded_data(name: str) -> None:
    decoded = builder.whole_file() + bytes(range(256)) * 2
    assert content_crc32(KINDS[name]) == crc32(decoded)
    bundle = opened(KINDS[name])
    assert b"".join(b"".join(bundle.pieces(node)) for node in bundle.nodes) == decoded
    assert b"".join(bundle.pieces(bundle.nodes[0])) == builder.whole_file()  # backwards, also in LZMA


@dataclass
class Watched:
    """A file that says which bytes of it were read."""

    data: bytes
    reads: list[tuple[int, int]] = field(default_factory=list)
    at: int = 0

    def seek(self, offset: int, whence: int = 0) -> int:
        self.at = len(self.data) + offset if whence == 2 else offset
        return self.at

    def read(self, size: int) -> bytes:
        self.reads.append((self.at, size))
        piece = self.data[self.at : self.at + size]
        self.at += len(piece)
        return piece


def test_only_the_blocks_that_are_needed_are_read() -> None:
    resource = bytes(range(256)) * 4096  # 1 MB that nobody asks for
    data = builder.archive([("CAB-a", builder.whole_file()), ("CAB-a.resS", resource)], compression=0, block=1 << 16)
    stream = Watched(data)
    assert text_asset_bytes(cast("BinaryIO", stream)) == TEXT
    assert sum(size for _, size in stream.reads) < 20_000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"UnityWeb\0" + bytes(60), "UnityWeb"),
        (b"UnityRaw\0" + bytes(60), "UnityRaw"),
        (b"UnityArchive\0" + bytes(60), "UnityArchive"),
        (b"PK\3\4" + bytes(60), "neither"),
        (b"", "neither"),
        (builder.archive([("CAB-a", b"x")], number=9), "format 9"),
        (builder.archive([("CAB-a", b"x")], extra_flags=0x400), "encrypted"),
        (builder.archive([("CAB-a", b"x")], extra_flags=0x1000), "encrypted"),
        (builder.archive([("CAB-a", b"x")], padded=True, number=7, unity_version="2020.3.33f1"), "encrypted"),
        (builder.archive([("CAB-a", b"x")], padded=True, number=7, unity_version="2019.4.40f1"), "encrypted"),
        (builder.archive([("CAB-a", b"x"), ("CAB-a", b"y")]), "two files of one name"),
        (builder.archive([("CAB-a", b"x" * 100)], compression=0, block=10)[:-1], "declares"),
        (builder.assemble(bytes(16) + b"\0\0\0\1" + bytes(10) + bytes(4) + b"\0", b"", compression=0), "left over"),
    ],
)
def test_what_is_refused_is_refused_plainly(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        opened(data)


@pytest.mark.parametrize("version", ["2020.3.34f1", "2021.3.2f1", "2022.1.1f1", "2023.1.0f1", "6000.0.1f1", "0.0.0"])
def test_the_same_flag_is_padding_since_these_releases(version: str) -> None:
    files = [("CAB-a", builder.whole_file())]
    assert text_asset_bytes(builder.archive(files, padded=True, unity_version=version)) == TEXT


def test_late_2019_pads_although_it_says_format_6() -> None:
    files = [("CAB-a", builder.whole_file())]
    plain = builder.archive(files, number=6, unity_version="2019.4.40f1")
    assert text_asset_bytes(plain) == TEXT
    header = len(b"UnityFS\0") + 4 + len(b"5.x.x\0") + len(b"2019.4.40f1\0") + 20
    size = len(plain) + -header % 16
    padded = plain[: header - 20] + size.to_bytes(8, "big") + plain[header - 12 : header]
    assert text_asset_bytes(padded + bytes(-header % 16) + plain[header:]) == TEXT


@pytest.mark.parametrize("version", range(9, 24))
def test_the_main_class_is_in_the_first_bytes(version: int) -> None:
    data = builder.whole_file(version)
    assert serialized_file_main_class(data[:160]) == 114
    for size in range(160):
        assert serialized_file_main_class(data[:size]) in (None, 114)


@pytest.mark.parametrize(
    "head", [b"", b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n", b"{}", bytes(200), b"\xff" * 200]
)
def test_what_is_no_serialized_file_has_no_main_class(head: bytes) -> None:
    assert serialized_file_main_class(head) is None


@pytest.mark.parametrize("cut", [0, 30, 60, 90, 120, 150, 190])
def test_an_asset_bundle_object_of_the_one_layout_says_what_its_tree_says(cut: int) -> None:
    (file,) = opened(KINDS["stored"]).files()
    entry = file.facts.objects.first_of_class(ASSET_BUNDLE)
    assert entry is not None
    data = file.read(entry)[: entry.size - cut]
    short = entry._replace(size=len(data))
    try:
        expected = _asset_bundle(file.value(short))
    except FormatError:
        with pytest.raises(FormatError):
            file._quick_asset_bundle(short)
    else:
        assert file._quick_asset_bundle(short) == expected
