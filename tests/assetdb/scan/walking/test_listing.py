"""Which metas belong to which names of a directory, and what is said of the others."""

from __future__ import annotations

import pytest

from assetdb.scan.walking.listing import arrange


@pytest.mark.parametrize(
    ("folder", "missing"),
    [
        (b"Assets/Native.bundle", []),
        (b"Assets/Plugins/iOS/Ads.framework/Headers", []),
        (b"Assets/Plugins/Ads.XCFramework/ios-arm64", []),
        (b"Packages/com.example.game/Editor", ["Code.cs", "Inner/"]),
        (b"Assets/bundle", ["Code.cs", "Inner/"]),
        (b"Packages", []),
    ],
)
def test_files_of_a_native_plug_in_need_no_metas(folder: bytes, missing: list[str]) -> None:
    found = arrange(folder, [b"Inner"], [], set(), {b"Code.cs"}, [])
    assert [item.path for item in found.diagnostics] == [f"{folder.decode()}/{name}" for name in missing]
    assert found.children == [b"Inner"]


def test_a_meta_in_a_native_plug_in_is_read_all_the_same() -> None:
    found = arrange(b"Assets/Ads.framework", [], [], set(), {b"Info.plist"}, [b"Info.plist.meta"])
    assert found.pairs == [(b"Info.plist", b"Info.plist.meta")]
