"""What is stored several times: bytes of zeros and of nothing are no copies, pieces of the same items are one row."""

from __future__ import annotations

from assetdb.builds.engines.inventory import PACKAGE, SAME_DATA, SAME_ID, Copies, Item


def item(file: int, identity: str, size: int = 10) -> Item:
    return Item(file, PACKAGE, f"/Game/{identity or size}", identity, "", size, 0, size)


def test_pieces_of_the_same_items_are_one_row() -> None:
    copies = Copies()
    for place in (0, 1):
        copies.add(place, b"one", 5)
        copies.add(place, b"two", 7)
    copies.add(0, b"own", 3)
    (found,) = copies.find([item(0, "a"), item(0, "b")])
    assert (found.by, found.items, found.size, found.saved) == (SAME_DATA, (0, 1), 12, 12)


def test_what_has_no_bytes_or_no_digest_is_no_copy() -> None:
    copies = Copies()
    for place in (0, 1):
        copies.add(place, b"none", 0)
        copies.add(place, bytes(20), 9)
    assert copies.find([item(0, "a"), item(0, "b")]) == ()


def test_one_id_in_one_file_is_no_copy_and_in_two_it_is() -> None:
    assert Copies().find([item(0, "a"), item(0, "a")]) == ()
    copies = Copies()
    (found,) = copies.find([item(0, "a", 10), item(1, "a", 4)])
    assert (found.by, found.is_equal, found.size, found.saved) == (SAME_ID, None, 10, 4)
    for place in (0, 1):
        copies.add(place, b"same", 4)
    (found,) = copies.find([item(0, "a", 10), item(1, "a", 4)])
    assert found.is_equal is True
