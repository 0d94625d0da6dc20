import random
from pathlib import Path
from struct import pack

import pytest

from assetdb.unity.importers.fbx import MAGIC, ROOT, FbxScene, NotBinaryFbx, read_fbx
from assetdb_formats.binary import FormatError
from tests.assetdb.unity.importers.fbx_writer import Node, Record, fbx, long, model, string

VERSIONS = (6100, 7100, 7400, 7500, 7700)
CAR = (
    Node(
        "Car",
        "Null",
        (
            Node("Body", "Mesh", (), ("Paint", "Glass")),
            Node("Wheel", "Mesh", (), ("Rubber",)),
            Node("Eye", "Camera"),
            Node("Lamp", "Light"),
        ),
    ),
    Node("Driver", "Skinned", (), ("Paint",)),
)


def scene(data: bytes) -> FbxScene:
    found = read_fbx(data)
    assert isinstance(found, FbxScene)
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_hierarchy_materials_and_takes(version: int) -> None:
    found = scene(model(version, CAR, ("Drive", "Stop")))
    assert found.version == version
    by_id = {item.id: item for item in found.objects}
    assert [item.name for item in found.objects if item.kind == "Model"] == [
        "Car", "Body", "Wheel", "Eye", "Lamp", "Driver",
    ]  # fmt: skip
    assert [item.name for item in found.objects if item.kind == "Material"] == ["Paint", "Glass", "Rubber"]
    assert found.takes == ("Drive", "Stop")
    links = [(by_id[child].name, by_id[parent].name if parent else "") for child, parent in found.connections]
    models = [pair for pair in links if pair[0] in {"Car", "Body", "Driver"}]
    assert models == [("Car", ""), ("Body", "Car"), ("Driver", "")]
    assert ("Paint", "Driver") in links
    assert ROOT not in by_id


@pytest.mark.parametrize("version", VERSIONS)
def test_subclasses(version: int) -> None:
    found = scene(model(version, CAR))
    kinds = {item.name: item.subclass for item in found.objects if item.kind == "Model"}
    assert kinds == {"Car": "Null", "Body": "Mesh", "Wheel": "Mesh", "Eye": "Camera", "Lamp": "Light", "Driver": "Mesh"}
    if version < 7000:
        assert {item.name for item in found.objects if item.geometry} == {"Body", "Wheel", "Driver"}
    else:
        assert sum(item.kind == "Geometry" for item in found.objects) == 3
        assert {item.name for item in found.objects if item.kind == "AnimationStack"} == set()
    assert any(item.kind == "Deformer" and item.subclass == "Skin" for item in found.objects)


def test_connections_to_what_is_not_kept_are_left_out() -> None:
    objects = Record(
        "Objects",
        (),
        (
            Record("Model", (long(1), string(b"A\x00\x01Model"), string("Null"))),
            Record("AnimationCurve", (long(2), string(b"\x00\x01AnimCurve"), string(""))),
            Record("Model", (long(3), string("Model::B"), string("Null"))),
        ),
    )
    links = Record(
        "Connections",
        (),
        tuple(Record("C", (string("OO"), long(a), long(b))) for a, b in ((1, 0), (2, 1), (3, 1), (9, 3))),
    )
    found = scene(fbx(7400, [links, objects]))  # the order of the sections does not matter
    assert found.connections == ((1, 0), (3, 1))
    assert [item.name for item in found.objects] == ["A", "B"]


def test_names_that_are_not_utf_8_are_replaced() -> None:
    objects = Record("Objects", (), (Record("Material", (long(1), string(b"M\xe4\x00\x01Material"), string(""))),))
    assert scene(fbx(7500, [objects])).objects[0].name == "M\ufffd"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b"\r\n  ", "empty"),
        (b"; FBX 7.3.0 project file\n; ---", "ascii"),
        (b"\xef\xbb\xbf; FBX 6.1.0 project file", "ascii"),
        (b"FBXHeaderExtension:  {\n", "ascii"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n", "lfs-pointer"),
        (b"o Cube\nv 0 0 0\n", "other"),
        (MAGIC[:20], "other"),
    ],
)
def test_what_is_no_binary_fbx_is_said_and_not_raised(data: bytes, kind: str) -> None:
    assert read_fbx(data) == NotBinaryFbx(kind)


@pytest.mark.parametrize("version", [0, 5800, 8000, 0xFFFFFFFF])
def test_unknown_versions_are_refused(version: int) -> None:
    with pytest.raises(FormatError, match="version"):
        read_fbx(MAGIC + pack("<I", version) + b"\0" * 64)


def test_header_only() -> None:
    with pytest.raises(FormatError, match="header"):
        read_fbx(MAGIC)
    assert scene(MAGIC + pack("<I", 7400)) == FbxScene(7400, (), (), ())


def test_a_record_that_ends_outside_its_parent() -> None:
    data = bytearray(model(7400, CAR))
    position = data.index(b"Objects") - 13
    data[position : position + 4] = pack("<I", len(data) + 1)
    with pytest.raises(FormatError) as caught:
        read_fbx(bytes(data))
    assert caught.value.offset == position


def test_a_record_that_ends_before_itself_does_not_loop() -> None:
    data = bytearray(model(7700, CAR))
    position = data.index(b"Objects") - 25
    data[position : position + 8] = pack("<Q", position)
    with pytest.raises(FormatError, match="outside"):
        read_fbx(bytes(data))


def test_a_string_longer_than_the_file() -> None:
    data = bytearray(model(7400, CAR))
    position = data.index(b"Car\x00\x01Model") - 4
    data[position : position + 4] = pack("<I", 0xFFFFFFF0)
    with pytest.raises(FormatError) as caught:
        read_fbx(bytes(data))
    assert caught.value.field == "Objects.Model.name"


def test_wrong_property_types() -> None:
    for properties in ((string("x"), string("y"), string("z")), (long(1), long(2), long(3)), (long(1),)):
        with pytest.raises(FormatError):
            read_fbx(fbx(7400, [Record("Objects", (), (Record("Model", properties),))]))


def test_depth_of_records_is_not_depth_of_recursion() -> None:
    # 40,000 records inside each other: each is 13 bytes of head and one of name, all ending together
    depth = 40_000
    head = MAGIC + pack("<I", 7400)
    end = len(head) + depth * 14
    data = head + b"".join(pack("<IIIB", end, 0, 0, 1) + b"x" for _ in range(depth))
    assert scene(data).objects == ()


@pytest.mark.parametrize("version", VERSIONS)
def test_every_cut_is_read_or_refused(version: int) -> None:
    data = model(version, CAR, ("Drive",))
    offsets = []
    for size in range(len(data)):
        try:
            read_fbx(data[:size])
        except FormatError as error:
            offsets.append((size, error.offset))
    assert len(offsets) > len(data) // 2
    assert all(offset is not None and 0 <= offset <= size for size, offset in offsets)


def test_memory_views_read_alike() -> None:
    data = model(7500, CAR, ("Drive",))
    assert read_fbx(memoryview(data)) == read_fbx(data)


@pytest.mark.parametrize("version", VERSIONS)
def test_mutations(version: int) -> None:
    data = model(version, CAR, ("Drive",))
    source = random.Random(version)
    for _ in range(400):
        changed = bytearray(data)
        for _ in range(source.randint(1, 6)):
            changed[source.randrange(27, len(changed))] = source.choice((0, 1, 0x7F, 0xFF, source.randrange(256)))
        try:
            read_fbx(bytes(changed))
        except FormatError:
            continue


@pytest.mark.long
@pytest.mark.corpus("unity/unity-explorer", "unity/EntityComponentSystemSamples", "unity/FPSSample")
def test_every_real_file_reads(corpus: Path) -> None:
    seen: dict[str, int] = {}
    for project in ("unity-explorer", "EntityComponentSystemSamples", "FPSSample"):
        for path in (corpus / "unity" / project).rglob("*.[fF][bB][xX]"):
            found = read_fbx(path.read_bytes())
            key = found.kind if isinstance(found, NotBinaryFbx) else str(found.version)
            seen[key] = seen.get(key, 0) + 1
            if isinstance(found, FbxScene):
                assert any(item.kind == "Model" for item in found.objects)
                assert any(parent == ROOT for _, parent in found.connections)
    assert seen.keys() <= {"7400", "7500", "7700", "empty", "ascii"}
    assert seen["ascii"] == 8
    assert seen["7400"] + seen["7500"] + seen["7700"] > 250
