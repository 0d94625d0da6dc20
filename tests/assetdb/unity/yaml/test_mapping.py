from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
from itertools import pairwise

import pytest

from assetdb.unity.metas.meta import MetaReader, read_meta
from assetdb.unity.settings.packages import read_packages
from assetdb.unity.yaml.mapping import read_mapping
from assetdb_formats.binary import FormatError

GUID = "0123456789abcdef0123456789abcdef"
DIGITS = "00000000000000000000000000001234"


@pytest.mark.parametrize("guid", [GUID, DIGITS, "1" * 31 + "e", "12e" + "4" * 29])
@pytest.mark.parametrize(
    "text",
    [
        "{fileFormatVersion: 2, guid: %s, TextureImporter: {userData: hello, assetBundleName: a/b}}\n",
        'fileFormatVersion: 2\n"guid": %s\nTextureImporter:\n  userData: hello\n  assetBundleName: a/b\n',
        "fileFormatVersion: 2\nguid: '%s'\nTextureImporter:\n  userData: 'hello'\n  assetBundleName: \"a/b\"\n",
        "  fileFormatVersion: 2\n  guid: %s\n  TextureImporter: {userData: hello, assetBundleName: a/b}\n",
        "guid: %s # made by hand\nfileFormatVersion: 2\nTextureImporter:\n  userData: hello\n  assetBundleName: a/b\n",
    ],
)
def test_odd_metas_have_their_guid(text: str, guid: str) -> None:
    for read in (read_meta, MetaReader().read):
        found, facts, others = read((text % guid).encode())
        assert found.decode() == guid
        assert facts.importer == "TextureImporter"
        assert (facts.user_data, facts.asset_bundle_name, others) == ("hello", "a/b", ())


def test_folders_and_labels_of_odd_metas() -> None:
    facts = read_meta(
        f"{{fileFormatVersion: 2, guid: {GUID}, folderAsset: yes, labels: [a, b c], DefaultImporter: {{}}}}".encode()
    )[1]
    assert (facts.folder, facts.labels, facts.importer) == (True, ("a", "b c"), "DefaultImporter")


@pytest.mark.parametrize(
    "data",
    [
        b"{guid: }",
        b"{guid: 123}",
        b"{guid: [%s]}" % GUID.encode(),
        b"guid: {",
        b"&a [guid, *a]",
        b"{guid: '%s', x: *a}" % GUID.encode(),
        b"{guid: '\xff%s'}" % GUID.encode(),
        b"{guid: '%s'}\n---\n{}" % GUID.encode(),
        b"- guid: '%s'" % GUID.encode(),
        b"[" * 100_000 + b"guid",
        b"guid: '%s'\n" % GUID.encode() + b"#" * (1 << 18),
    ],
)
def test_what_is_none_has_no_guid(data: bytes) -> None:
    assert read_meta(data + b" # fileFormatVersion")[0] == b""
    assert read_meta(b"fileFormatVersion: 2\n" + data)[0] == b""


def test_bounds_are_parameters() -> None:
    assert read_mapping(b"a: {b: {c: d}}", deepest=3) == {"a": {"b": {"c": "d"}}}
    with pytest.raises(FormatError, match="too deep"):
        read_mapping(b"a: {b: {c: d}}", deepest=2)
    with pytest.raises(FormatError, match="at most 3"):
        read_mapping(b"a: b", largest=3)
    letters = "abcdefghijkl"
    rows = (f"{key}: &{key} [*{before}, *{before}]\n" for before, key in pairwise(letters))
    bomb = "a: &a [x]\n" + "".join(rows)
    with pytest.raises(FormatError, match="alias"):
        read_mapping(bomb.encode())


def test_damage_is_a_format_error_and_nothing_else() -> None:
    numbers = random.Random(14)
    whole = f'{{fileFormatVersion: 2, guid: "{GUID}", A: [1, {{b: c}}], d: |\n  text}}\n'.encode() * 2
    for _ in range(1500):
        data = bytearray(whole)
        for _ in range(numbers.randint(1, 6)):
            data[numbers.randrange(len(data))] = numbers.choice(b"{}[]\"'&*!|>%@`:,- \n\t\0\xff\xc3#?")
        with contextlib.suppress(FormatError):
            assert isinstance(read_mapping(bytes(data[: numbers.randint(0, len(data))])), dict)


def test_a_manifest_may_be_yaml() -> None:
    text = "# ours\ndependencies:\n  com.acme.tools: 1.10.0\n  com.acme.more: 1.2.3\n"
    asked = {"dependencies": {"com.acme.tools": "1.10.0", "com.acme.more": "1.2.3"}}
    expected = read_packages(json.dumps(asked).encode(), None)
    assert read_packages(text.encode(), None) == expected
    comma = b'{"dependencies": {"com.acme.tools": "1.10.0", "com.acme.more": "1.2.3",},}'
    assert read_packages(comma, None) == expected
    assert read_packages(b"{", None).problems[0][1].startswith("is not JSON")


def test_usual_metas_do_without_pyyaml() -> None:
    code = (
        "import sys; from assetdb.unity.metas.meta import MetaReader, read_meta;"
        f"read_meta(b'fileFormatVersion: 2\\r\\nguid: {GUID}\\r\\n');"
        f"MetaReader().read(b'fileFormatVersion: 2\\nguid: {GUID}\\n');"
        "read_meta(b'nothing'); print('yaml' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
