"""Synthetic bundles of every format and compression, and SerializedFiles of every version."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from zlib import crc32

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.unityfs.bundle import Bundle, ObjectReader, content_crc32, open_bundle, text_asset_bytes
from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.loaded import ASSET_BUNDLE, _asset_bundle
from assetdb_formats.unityfs.serialized_files.mainclass import serialized_file_main_class
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr, references
from assetdb_formats.unityfs.types.class_trees import class_tree
from tests.assetdb_formats.unityfs import builder

if TYPE_CHECKING:
    from pathlib import Path

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


def pair(**options: Any) -> Bundle:  # noqa: ANN401 - those of the builder
    """Return a bundle of two SerializedFiles, each of which refers to the other, and a resource."""
    p = builder.Packer()
    text = builder.Thing(10, 49, p.string(b"other") + p.string(b"x"))
    second = builder.serialized_file([text], builder.KINDS[2:], externals=(builder.External("archive:/x/CAB-BASKET"),))
    first = builder.serialized_file(
        builder.things(),
        builder.KINDS,
        externals=(builder.External("archive:/x/CAB-Other"), builder.External("CAB-basket.resS")),
        references=builder.REFERENCES,
    )
    return opened(
        builder.archive([("CAB-basket", first), ("CAB-basket.resS", b"12345"), ("CAB-other", second)], **options)
    )


def test_objects_are_chosen_by_names_or_numbers_of_classes() -> None:
    bundle = pair()
    for classes, expected in (
        ((), ["CAB-basket:-20", "CAB-basket:1", "CAB-basket:10", "CAB-other:10"]),
        (["TEXTASSET"], ["CAB-basket:10", "CAB-other:10"]),
        (["49", "AssetBundle"], ["CAB-basket:1", "CAB-basket:10", "CAB-other:10"]),
        (["4", "Text"], []),
    ):
        assert [found.id for found in bundle.objects(classes)] == expected
    first = next(bundle.objects())
    assert (first.path_id, first.class_name, first.name, first.has_layout) == (-20, "MonoBehaviour", "Basket", True)
    assert bundle.decoded_size == sum(node.size for node in bundle.nodes)


def test_paths_are_of_the_objects_of_the_bundles_own_file() -> None:
    bundle = pair()
    assert bundle.container_paths() == {
        ("CAB-basket", 10): ("assets/notes.txt",),
        ("CAB-basket", -20): ("assets/basket.asset",),
    }
    assert [found.container for found in bundle.objects()] == [("assets/basket.asset",), (), ("assets/notes.txt",), ()]
    assert opened(builder.serialized_file([], [])).container_paths() == {}


def test_entries_of_a_container_without_an_object_of_its_file_are_no_paths() -> None:
    p = builder.Packer()
    entries = ((b"a", 0, 7), (b"b", 0, 7), (b"scene", 0, 0), (b"abroad", 1, 7))
    data = p.string(b"x") + p("i", 0) + p("i", len(entries))
    for path, file_id, path_id in entries:
        data += p.string(path) + p("iiiq", 0, 0, file_id, path_id)
    data += bytes(24) + p.string(b"x") + p("i", 0) + bytes(4)
    bundle = opened(builder.serialized_file([builder.Thing(1, 142, data)], builder.KINDS[1:2]))
    assert bundle.container_paths() == {("", 7): ("a", "b")}


def test_a_reference_is_followed_within_the_bundle_by_names_in_any_case() -> None:
    bundle = pair()
    script, _, notes, other = bundle.objects()

    def target(source: ObjectReader, file_id: int, path_id: int) -> str | None:
        found = source.follow(PPtr(file_id, path_id))
        return None if found is None else found.id

    assert target(script, 0, 10) == target(other, 1, 10) == notes.id
    assert target(script, 1, 10) == target(other, 0, 10) == other.id
    assert [target(script, *wrong) for wrong in ((0, 0), (1, 0), (0, 11), (2, 10), (3, 10), (-1, 10))] == [None] * 6
    external = script.external(PPtr(1, 10))
    assert external is not None
    assert (external.name, script.external(PPtr(0, 10)), script.external(PPtr(3, 10))) == ("CAB-Other", None, None)
    assert bundle.file_named("cab-OTHER") is bundle.file(bundle.nodes[2])
    assert bundle.file_named("CAB-basket.resS") is None


def test_a_bundle_has_one_text_or_none_is_taken() -> None:
    two = builder.archive([("CAB-a", builder.whole_file()), ("CAB-b", builder.whole_file())])
    none = builder.serialized_file([], [])
    for data, count in ((two, 2), (none, 0)):
        with pytest.raises(FormatError, match=f"the bundle has {count} TextAssets, not one") as caught:
            text_asset_bytes(data)
        assert caught.value.field == "objects"


def test_files_of_an_older_archive_are_told_apart_wherever_they_begin() -> None:
    whole = builder.whole_file(9)
    files = [("empty", b""), ("short", b"x" * 5), ("CAB-a", whole), ("tail", whole[:-1]), ("CAB-b", whole)]
    for signature in ("UnityRaw", "UnityWeb"):
        bundle = opened(builder.web_archive(files, signature=signature))
        assert [node.path for node in bundle.nodes if node.serialized] == ["CAB-a", "CAB-b"]


def test_an_error_gets_the_path_of_the_bundle_within_its_statement_only() -> None:
    for path, own, expected in (("a.bundle", "", "a.bundle"), ("a.bundle", "other", "other"), ("", "", "")):
        error = UnityFSError("wrong", path=own)
        with pytest.raises(UnityFSError) as caught, Bundle(BytesIO(KINDS["stored"]), path):
            raise error
        assert caught.value.path == expected
    plain = FormatError("of something else")
    with pytest.raises(FormatError) as caught_plain, Bundle(BytesIO(KINDS["stored"]), "a.bundle"):
        raise plain
    assert caught_plain.value.path == ""


def test_a_statement_closes_a_file_that_was_opened_for_it_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "a.bundle"
    path.write_bytes(KINDS["stored"])
    with open_bundle(path) as bundle:
        assert len(b"".join(bundle.pieces(bundle.nodes[1]))) == 512
    with pytest.raises(ValueError, match="closed file"):
        list(bundle.pieces(bundle.nodes[1]))
    stream = BytesIO(KINDS["stored"])
    with open_bundle(stream) as bundle:
        pass
    assert len(b"".join(bundle.pieces(bundle.nodes[1]))) == 512
