import random
from struct import pack

import pytest

from assetdb.unity.importers.managed_dll import ManagedType, NotManaged, read_types, script_file_id
from assetdb_formats.binary import FormatError
from tests.assetdb.unity.importers.dll_writer import Layout, TypeRow, dll

TYPES = [
    TypeRow("UnityEngine.UI", "Image"),
    TypeRow("", "Global"),
    TypeRow("UnityEngine.UI", "Nested", 2),
    TypeRow("UnityEngine.UI", "Private nested", 3),
    TypeRow("Straße", "Größe", 0),
]
FOUND = (ManagedType("UnityEngine.UI", "Image"), ManagedType("", "Global"), ManagedType("Straße", "Größe"))


@pytest.mark.parametrize(
    ("namespace", "name", "file_id"),
    [
        # ids in scenes of Unity 5 to 2018, where the user interface was a DLL
        ("UnityEngine.UI", "Image", -765806418),
        ("UnityEngine.UI", "Text", 708705254),
        ("UnityEngine.UI", "Button", 1392445389),
        ("UnityEngine.UI", "CanvasScaler", 1980459831),
        ("UnityEngine.UI", "GraphicRaycaster", 1301386320),
        ("UnityEngine.EventSystems", "EventSystem", -619905303),
        ("UnityEngine.EventSystems", "StandaloneInputModule", 1077351063),
    ],
)
def test_script_file_ids_of_the_user_interface(namespace: str, name: str, file_id: int) -> None:
    assert script_file_id(namespace, name) == file_id


@pytest.mark.parametrize(
    "layout",
    [
        Layout(),
        Layout(pe_plus=True),
        Layout(wide_strings=True),
        Layout(wide_guids=True),
        Layout(type_refs=1 << 14),
        Layout(fields=1 << 16),
        Layout(methods=1 << 16),
        Layout(fields=1 << 16, methods=1 << 16, pointers=True, stream=b"#-"),
        Layout(pe_plus=True, wide_strings=True, wide_guids=True, type_refs=1 << 16, fields=70_000),
    ],
)
def test_types_in_every_layout(layout: Layout) -> None:
    assert read_types(dll(TYPES, layout)) == FOUND


BASES = (
    ("UnityEngine", "MonoBehaviour"),
    ("System", "Object"),
    ("UnityEngine.Events", "UnityEvent`1"),
    ("Acme", "Base"),
)


@pytest.mark.parametrize("refs", [4, 1 << 14])
def test_scripts_are_types_with_a_base_of_the_engine(refs: int) -> None:
    rows = [
        TypeRow("A", "Walker", 1, ("ref", 1)),
        TypeRow("A", "Runner", 1, ("def", 2)),  # of Walker
        TypeRow("A", "Plain", 1, ("ref", 2)),
        TypeRow("A", "Told", 1, ("ref", 3)),
        TypeRow("A", "Foreign", 1, ("ref", 4)),
        TypeRow("A", "Bare", 1),
        TypeRow("A", "Circle", 1, ("def", 9)),
        TypeRow("A", "Round", 1, ("def", 8)),
        TypeRow("A", "Far", 1, ("ref", 3_000 if refs == 4 else 16_383)),
    ]
    found = read_types(dll(rows, Layout(type_refs=refs, refs=BASES)))
    assert not isinstance(found, NotManaged)
    assert [item.name for item in found if item.is_script] == ["Walker", "Runner", "Foreign"]


@pytest.mark.long
def test_many_types() -> None:
    rows = [TypeRow(f"N{number % 7}", f"T{number}") for number in range(20_000)]
    assert read_types(dll(rows, Layout(wide_strings=True))) == tuple(ManagedType(r.namespace, r.name) for r in rows)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b"version https://git-lfs.github.com/spec/v1\n", "lfs-pointer"),
        (b"\x7fELF", "other"),
        (b"MZ" + b"\0" * 58 + pack("<I", 0x40) + b"NE\0\0", "other"),
    ],
)
def test_what_is_no_managed_dll_is_said(data: bytes, kind: str) -> None:
    assert read_types(data) == NotManaged(kind)


def test_native_dll() -> None:
    data = bytearray(dll(TYPES))
    at = data.index(pack("<II", 0x2000, 72))
    data[at : at + 8] = b"\0" * 8
    assert read_types(bytes(data)) == NotManaged("native")


def test_names_that_run_on_are_refused() -> None:
    data = bytearray(dll([TypeRow("A" * 900, "B" * 1500)]))
    with pytest.raises(FormatError, match="no name"):
        read_types(bytes(data))


def test_names_that_overlap_without_end_are_refused() -> None:
    # every type begins one byte later in the same long name
    rows = [TypeRow("", "x" * 1000), *(TypeRow("", f"t{number}") for number in range(3000))]
    data = bytearray(dll(rows, Layout(wide_strings=True)))
    long_name = data.index(b"x" * 1000) - data.index(b"\0Test.dll")
    first = data.index(pack("<II", 1, long_name))
    for number in range(3000):
        at = first + number * 18 + 4
        data[at : at + 4] = pack("<I", long_name + number % 990)
    with pytest.raises(FormatError, match="overlap"):
        read_types(bytes(data))


def test_counts_are_checked_before_rows_are_read() -> None:
    data = bytearray(dll(TYPES))
    at = data.index(pack("<III", 1, 1, 6))
    data[at + 8 : at + 12] = pack("<I", 0xFFFFFFFF)
    with pytest.raises(FormatError, match="counts"):
        read_types(bytes(data))


def test_every_cut_is_read_or_refused() -> None:
    data = dll(TYPES)
    refused = 0
    for size in range(2, len(data)):
        try:
            read_types(data[:size])
        except FormatError:
            refused += 1
    assert refused > len(data) // 2


def test_mutations() -> None:
    data = dll(TYPES)
    source = random.Random(1)
    outcomes: set[type] = set()
    for _ in range(3000):
        changed = bytearray(data)
        for _ in range(source.randint(1, 4)):
            changed[source.randrange(2, len(changed))] = source.choice((0, 1, 0x7F, 0xFF, source.randrange(256)))
        try:
            outcomes.add(type(read_types(bytes(changed))))
        except FormatError as error:
            outcomes.add(type(error))
    assert outcomes == {tuple, NotManaged, FormatError}
