"""Names by the rules of Windows, macOS and Linux, as their makers state them."""

from __future__ import annotations

import pytest

from assetdb.unity.portability import fault_of_name, may_be_odd, twins

DEVICES = ["CON", "PRN", "AUX", "NUL", "COM1", "COM9", "LPT1", "LPT9", "COM¹", "LPT³"]


@pytest.mark.parametrize("character", '\\:?*<>|"\t\x01')
def test_reserved_characters(character: str) -> None:
    assert "Windows" in fault_of_name(f"a{character}b.png")
    assert may_be_odd(f"plain.txt/a{character}b.png/other")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("end", ["", ".png", ".tar.gz", " .txt"])
def test_devices_with_any_extension(device: str, end: str) -> None:
    for name in (device + end, device.lower() + end):
        assert "device" in fault_of_name(name)
        assert may_be_odd(f"a/{name}")


@pytest.mark.parametrize(
    "name", ["auxiliary.png", "con-1.txt", "com10", "com0.txt", "lpt.png", "console", "xaux.png", "a.aux"]
)
def test_names_that_only_look_like_devices(name: str) -> None:
    assert fault_of_name(name) == ""


@pytest.mark.parametrize("name", ["end.", "end ", "a.b."])
def test_a_last_dot_or_space(name: str) -> None:
    assert "ends with" in fault_of_name(name)
    assert may_be_odd(f"{name}/b")
    assert may_be_odd(f"b/{name}")


@pytest.mark.parametrize(
    "name", [".hidden", "a b.png", "a.b.c", "ä.png", "日本.txt", "a#b", "a'b", "a;b,c=d(1)[2]{3}", "~"]
)
def test_usual_names(name: str) -> None:
    assert fault_of_name(name) == ""


def test_the_length_of_a_name_is_in_bytes() -> None:
    assert "its name has 256 bytes" in fault_of_name("a" * 256)
    assert "its name has 258 bytes" in fault_of_name("日" * 86)
    assert may_be_odd("a" * 256)
    assert may_be_odd("日" * 86)


def test_the_name_of_its_meta_counts() -> None:
    assert fault_of_name("a" * 250) == ""
    assert fault_of_name("ä" * 125) == ""
    for name in ("a" * 251, "ä" * 126):
        assert f"the name of its .meta has {len(name.encode()) + 5} bytes" in fault_of_name(name)
        assert may_be_odd(name)


def test_twins_differ_in_case_or_form_alone() -> None:
    composed, decomposed = "caf\u00e9.png", "cafe\u0301.png"
    names = ["Door.png", "door.png", "Gate.png", composed, decomposed, "stra\u00dfe", "strasse "]
    assert twins(names) == [("Door.png", "door.png"), (decomposed, composed)]
    assert twins(["a", "b"]) == []
