"""The no-winner rule."""

import random
import tracemalloc
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assetdb.state.names import NamePool, Paths


class Claim(NamedTuple):
    path: str
    name: str
    type: int = 28
    rows: tuple[str, ...] = ()


def names_of(*claims: Claim) -> list[tuple[str, ...]]:
    """Return the final names of each asset: its own, then those of its rows."""
    keys = [f"{claim.type}:{claim.name}".encode() for claim in claims]
    rows = [[f"213:{row}".encode() for row in claim.rows] for claim in claims]
    sub_keys = [row for own in rows for row in own]
    owners = [guid(number) for number in range(len(claims))]
    owners += [guid(number) for number, own in enumerate(rows) for _ in own]
    pool = pool_of([*keys, *sub_keys], owners, paths_of([claim.path.encode() for claim in claims]))
    return [
        tuple(pool.names_of(guid(number)).get(key, key.partition(b":")[2]).decode() for key in (keys[number], *own))
        for number, own in enumerate(rows)
    ]


def pool_of(keys: list[bytes], owners: list[bytes], paths: Paths) -> NamePool:
    """Decide claims that come in two pieces, as a bake has them."""
    half = len(keys) // 2
    return NamePool([(keys[:half], owners[:half]), (keys[half:], owners[half:])], lambda _: paths)


def guid(number: int) -> bytes:
    return number.to_bytes(16, "big")


def paths_of(paths: list[bytes]) -> Paths:
    by_guid = {guid(number): path for number, path in enumerate(paths)}
    return Paths({owner: path.rpartition(b"/")[0] for owner, path in by_guid.items()}, by_guid.__getitem__)


def single(*paths: str) -> list[str]:
    return [name for (name,) in names_of(*(Claim(path, "A") for path in paths))]


def test_a_name_with_one_claimant_stays() -> None:
    assert names_of(Claim("Assets/x/A.png", "A"), Claim("Assets/y/B.png", "B")) == [("A",), ("B",)]


def test_types_are_buckets_of_their_own() -> None:
    assert names_of(Claim("Assets/A.png", "A", 28), Claim("Assets/A.mat", "A", 21)) == [("A",), ("A",)]


def test_nobody_keeps_a_contested_name() -> None:
    assert single("Assets/x/A.png", "Assets/y/A.png") == ["A^x", "A^y"]


def test_the_shortest_trailing_run_that_no_other_has() -> None:
    # The crate's walk gives the first one "Wood": adding or removing an asset renames another.
    assert single("Assets/Doors/Wood/A.mat", "Assets/Doors/Steel/A.mat", "Assets/Windows/Wood/A.mat") == [
        "A^Doors/Wood",
        "A^Steel",
        "A^Windows/Wood",
    ]


def test_a_path_may_be_the_end_of_another() -> None:
    assert single("Assets/A.mat", "Assets/Assets/A.mat") == ["A^Assets/A.mat", "A^Assets/Assets"]
    assert single("Assets/x/A.png", "Assets/x/Assets/x/A.png", "Assets/A.png") == [
        "A^Assets/x/A.png",
        "A^x/Assets/x",
        "A^Assets",
    ]


def test_deep_folders_take_memory_in_proportion() -> None:
    count = 600
    paths = [b"Assets%b/A.mat" % (b"/a" * depth) for depth in range(count)]
    tracemalloc.start()
    try:
        pool = pool_of([b"21:A"] * count, [guid(number) for number in range(count)], paths_of(paths))
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()
    assert pool.names_of(guid(2)) == {b"21:A": b"A^Assets/a/a"}


def test_claimants_in_one_folder_take_the_file_name() -> None:
    assert single("Assets/x/A.tga", "Assets/x/A.exr") == ["A^A.tga", "A^A.exr"]
    assert single("Assets/x/A.tga", "Assets/x/A.exr", "Assets/y/A.tga") == ["A^x/A.tga", "A^A.exr", "A^y"]


def test_equal_paths_are_separated_by_their_guids() -> None:
    # Two file names that are not UTF-8 have one path where the same bytes are valid.
    names = single("Assets/x/A.png", "Assets/x/A.png", "Assets/y/A.png")
    assert names == [*(f"A^Assets/x/A.png^{guid(number).hex()}" for number in range(2)), "A^y"]


def test_two_sheets_in_one_folder() -> None:
    found = names_of(
        Claim("Assets/s/security.png", "security", 28, ("security_0",)),
        Claim("Assets/s/jumpsuit.png", "jumpsuit", 28, ("security_0",)),
    )
    assert found == [("security", "security_0^security.png"), ("jumpsuit", "security_0^jumpsuit.png")]


def test_an_asset_and_its_own_row_share_a_name_freely() -> None:
    found = names_of(Claim("Assets/A.png", "A", 213, ("A",)), Claim("Assets/B.png", "B", 28, ("B", "B")))
    assert found == [("A", "A"), ("B", "B", "B")]


def test_a_file_that_is_itself_called_so_keeps_its_name() -> None:
    found = names_of(
        Claim("Assets/Carets/Editor/Foo.txt", "Foo", 49),
        Claim("Assets/Carets/Runtime/Foo.txt", "Foo", 49),
        Claim("Assets/Foo^Editor.txt", "Foo^Editor", 49),
    )
    assert found == [("Foo^Carets/Editor",), ("Foo^Runtime",), ("Foo^Editor",)]


def test_what_directories_cannot_separate_is_reported() -> None:
    paths = [b"Assets/x/A.tga", b"Assets/x/A.exr", b"Assets/y/A.png"]
    pool = pool_of([b"28:A"] * 3, [guid(0), guid(1), guid(2)], paths_of(paths))
    assert pool.inseparable(paths_of(paths)) == [(b"28:A", [guid(0), guid(1)])]
    paths = [b"Assets/x/A.tga", b"Assets/y/A.exr"]
    assert pool_of([b"28:A"] * 2, [guid(0), guid(1)], paths_of(paths)).inseparable(paths_of(paths)) == []


def test_no_assets() -> None:
    assert not pool_of([], [], paths_of([])).renamed


@pytest.mark.parametrize("seed", range(50))
def test_the_order_of_the_walk_does_not_matter(seed: int) -> None:
    rng = random.Random(seed)
    folders = ["/".join(rng.choices("xyz", k=rng.randrange(1, 5))) for _ in range(20)]
    paths = sorted({f"Assets/{rng.choice(folders)}/{rng.choice('AB')}{rng.choice(['', '^x'])}.png" for _ in range(30)})
    claims = [Claim(path, path.rpartition("/")[2][:-4], 28, ("r",) * rng.randrange(2)) for path in paths]
    expected = dict(zip(paths, names_of(*claims), strict=True))
    for _ in range(5):
        rng.shuffle(claims)
        assert {claim.path: names for claim, names in zip(claims, names_of(*claims), strict=True)} == expected


def test_an_asset_more_renames_only_its_own_bucket() -> None:
    claims = [Claim(f"Assets/{folder}/{name}.png", name) for folder in "xy" for name in "AB"]
    before = dict(zip(claims, names_of(*claims), strict=True))
    more = [*claims, Claim("Assets/z/x/A.png", "A")]
    after = dict(zip(more, names_of(*more), strict=True))
    assert {claim for claim in claims if before[claim] != after[claim]} == {Claim("Assets/x/A.png", "A")}


PARTS = st.text("ab^.", min_size=1, max_size=3).filter(lambda text: text.strip("."))
PATHS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)


@given(
    st.lists(
        st.tuples(PATHS, st.sampled_from((21, 28, 213)), st.lists(PARTS, max_size=3).map(tuple)),
        unique_by=lambda item: item[0],
        max_size=12,
    )
)
def test_names_are_unique_whatever_the_input(assets: list[tuple[str, int, tuple[str, ...]]]) -> None:
    claims = [Claim(f"Assets/{path}.png", path.rpartition("/")[2], class_id, rows) for path, class_id, rows in assets]
    owners: dict[tuple[int, str], int] = {}
    for number, (claim, names) in enumerate(zip(claims, names_of(*claims), strict=True)):
        kinds = (claim.type, *(213 for _ in claim.rows))
        for kind, bare, name in zip(kinds, (claim.name, *claim.rows), names, strict=True):
            assert name == bare or name.startswith(f"{bare}^")
            assert owners.setdefault((kind, name), number) == number
