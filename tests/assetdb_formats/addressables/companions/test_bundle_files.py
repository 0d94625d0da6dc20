from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from assetdb_formats.addressables.companions.bundle_files import RUNTIME_PATH, bundle_finder

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb_formats.addressables.opening import OpenCatalog


class Alone:
    """A catalog beside which no file lies."""

    def beside(self, _name: str) -> None:
        return None


ALONE = cast("OpenCatalog", Alone())


@pytest.mark.parametrize(
    ("internal_id", "size"),
    [
        ("https://example.com/Android/a.bundle?version=1", 5),
        ("{Remote.Path}\\group\\a.bundle", 7),
        (f"{RUNTIME_PATH}/Android/a.bundle", 5),
        ("a.bundle", 5),
        ("../a.bundle", 5),
        ("x/../outside.bundle", None),
        ("absent.bundle", None),
        ("group", None),
        ("..", None),
    ],
)
def test_a_bundle_is_found_in_the_folder_and_never_above_it(tmp_path: Path, internal_id: str, size: int | None) -> None:
    folder = tmp_path / "bundles"
    (folder / "group").mkdir(parents=True)
    (folder / "a.bundle").write_bytes(bytes(5))
    (folder / "group" / "a.bundle").write_bytes(bytes(7))
    (tmp_path / "outside.bundle").write_bytes(bytes(9))
    (tmp_path / "a.bundle").write_bytes(bytes(9))
    found = bundle_finder(ALONE, str(folder))(internal_id)
    assert (found and found.size) == size


def test_without_a_folder_a_bundle_of_the_build_is_missing_and_one_of_a_server_unknown() -> None:
    find = bundle_finder(ALONE)
    assert find(f"{RUNTIME_PATH}/Android/a.bundle") is None
    with pytest.raises(KeyError):
        find("https://example.com/a.bundle")
