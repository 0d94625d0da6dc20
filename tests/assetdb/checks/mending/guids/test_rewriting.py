"""Every form of a reference gets the new GUID, and not one other byte changes."""

from __future__ import annotations

import random

import pytest

from assetdb.checks.mending.guids.rewriting import Sites, find_sites, rewritten

OLD = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6"
NEW = "5e1f0c7b9a3d4826b1c09e7f24d8a635"
OTHER = "0f9e8d7c6b5a49382716051423324150"

FORMS = {
    "yaml": ("prefab", f"%YAML 1.1\n  m_Material: {{fileID: 2100000, guid: {OLD}, type: 2}}\n"),
    "yaml over two lines": ("unity", f"%YAML 1.1\n  m_Script: {{fileID: 11500000, guid:\n    {OLD},\n    type: 3}}\n"),
    "capitals": ("mat", f"%YAML 1.1\n  m_Shader: {{fileID: 4800000, guid: {OLD.upper()}, type: 3}}\n"),
    "addressables": ("asset", f"%YAML 1.1\n  m_SerializeEntries:\n  - m_GUID: {OLD}\n    m_Address: x\n"),
    "asset reference": ("asset", f"%YAML 1.1\n  reference:\n    m_AssetGUID: {OLD}\n"),
    "override": ("prefab", f"%YAML 1.1\n    - propertyPath: sound.m_AssetGUID\n      value: {OLD}\n"),
    "item": ("asset", f"%YAML 1.1\n  guids:\n  - {OLD}\n"),
    "localization": ("asset", f"%YAML 1.1\n  m_TableCollectionName: GUID:{OLD}\n"),
    "json in yaml": ("vfx", f'%YAML 1.1\n  m_Object: \'{{"obj":{{"fileID":10202,"guid":"{OLD}","type":0}}}}\'\n'),
    "asmdef": ("asmdef", f'{{"name": "A", "references": ["GUID:{OLD}"]}}'),
    "asmref": ("asmref", f'{{"reference": "GUID:{OLD}"}}'),
    "graph": (
        "shadergraph",
        f'{{"m_Json": "{{\\"texture\\":{{\\"fileID\\":2800000,\\"guid\\":\\"{OLD}\\"}}}}"}}',
    ),
    "sub graph": ("shadergraph", f'{{\n    "m_FunctionSource": "{OLD}",\n    "m_X": 1\n}}'),
    "uxml": ("uxml", f'<T src="project://database/Assets/a.uss?fileID=743&amp;guid={OLD}&amp;type=3#a" />'),
    "uss": ("uss", f'a {{ b: url("project://database/Assets/a.png?fileID=28&guid={OLD}&type=3#a"); }}'),
    "input actions": ("inputactions", f'{{"asset": "{OLD}", "other": 1}}'),
    "settings": ("json", f'{{"m_Dictionary": {{"value": "{{\\"guid\\":\\"{OLD}\\"}}"}}}}'),
    "meta": (
        "meta",
        f"fileFormatVersion: 2\nguid: {OTHER}\nMonoImporter:\n  icon: {{fileID: 28, guid: {OLD}, type: 3}}\n",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_rewritten(form: str) -> None:
    extension, text = FORMS[form]
    data = text.encode()
    sites = find_sites(data, extension, [OLD])[OLD]
    assert (len(sites.references), sites.definitions, sites.others) == (1, (), ())
    changed = rewritten(data, extension, {OLD: NEW})
    assert changed == data.replace(OLD.encode(), NEW.encode()).replace(OLD.upper().encode(), NEW.encode())
    assert rewritten(changed, extension, {NEW: OLD}).lower() == data.lower()


WRAPPINGS = {
    "as it is": lambda data: data,
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "windows' line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "mixed line ends": lambda data: data.replace(b"\n", b"\r\n", 1) + b"a\rb\n",
    "no final line end": lambda data: data.rstrip(b"\n"),
    "blank lines at the end": lambda data: data + b"\n\n \n",
    "umlauts": lambda data: data + "m_Name: Größe 大きさ\n".encode(),
    "invalid utf-8": lambda data: data + b"m_Name: \xff\xfe\xc3\x28 \x80\n",
    "form feeds": lambda data: data + b"m_Text: \x0b\x0c\x1c\x85\xe2\x80\xa8\n",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_no_other_byte_changes(form: str, wrapping: str) -> None:
    extension, text = FORMS[form]
    data = WRAPPINGS[wrapping](text.encode())
    changed = rewritten(data, extension, {OLD: NEW})
    assert len(changed) == len(data)
    different = [number for number, (a, b) in enumerate(zip(data, changed, strict=True)) if a != b]
    assert different
    assert different[-1] - different[0] < 32
    start = changed.index(NEW.encode())
    assert changed[:start] == data[:start]
    assert changed[start + 32 :] == data[start + 32 :]


@pytest.mark.parametrize(
    ("extension", "text"),
    [
        ("cs", f'var path = AssetDatabase.GUIDToAssetPath("{OLD}");\n// guid: {OLD}\n'),
        ("txt", f"The guid: {OLD}\n"),
        ("md", f"    m_GUID: {OLD}\n"),
        ("shader", f"// {{fileID: 1, guid: {OLD}, type: 3}}\n"),
        ("png", f"spriteID: {OLD}\n"),
        ("asset", f"%YAML 1.1\n  m_Hash: {OLD}\n"),
        ("asset", f"%YAML 1.1\n  text: see {OLD} there\n"),
        ("unknown", f"guid: {OLD}\n"),
        ("asset", f"\0\0\0 {{fileID: 1, guid: {OLD}, type: 3}}"),
        ("uxml", f'<T name="{OLD}" />'),
        ("shadergraph", f'{{\n    "m_ObjectId": "{OLD}"\n}}'),
    ],
)
def test_what_nobody_can_tell_stays_and_is_said(extension: str, text: str) -> None:
    sites = find_sites(text.encode(), extension, [OLD])[OLD]
    assert sites.others
    assert not sites.references
    assert rewritten(text.encode(), extension, {OLD: NEW}) == text.encode()


@pytest.mark.parametrize("text", [f"f{OLD}", f"{OLD}0", OLD[:-1], f"x: {OLD}{OTHER}"])
def test_a_part_of_more_digits_is_no_guid(text: str) -> None:
    assert not find_sites(f"%YAML 1.1\nm_Data: {text}\n".encode(), "asset", [OLD])


def test_the_line_of_a_meta_changes_where_it_is_meant() -> None:
    data = f"\ufefffileFormatVersion: 2\r\nguid: {OLD}\r\nX:\r\n  y: {{fileID: 1, guid: {OLD}, type: 3}}\r\n".encode()
    sites = find_sites(data, "meta", [OLD])[OLD]
    assert (len(sites.definitions), len(sites.references)) == (1, 1)
    assert rewritten(data, "meta", {OLD: NEW}).count(OLD.encode()) == 1
    assert rewritten(data, "meta", {OLD: NEW}, defined={OLD}) == data.replace(OLD.encode(), NEW.encode())


def test_many_random_files_keep_all_but_the_digits() -> None:
    chance = random.Random(15)
    for _ in range(300):
        extension, text = chance.choice(list(FORMS.values()))
        noise = bytes(chance.choice(b" \r\n\t-:{}\"'\\,\xff\xc3abcdef0189") for _ in range(chance.randrange(60)))
        data = text.encode() + b"\n" + noise + b"\n" + text.encode()
        changed = rewritten(data, extension, {OLD: NEW})
        assert changed.replace(NEW.encode(), OLD.encode()).lower() == data.lower()


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        (OLD, (0,)),
        (f"{OLD} {OLD.upper()}", (0, 33)),
        (f"{OLD}{OLD}", ()),  # in a longer number
        (f"0{OLD}", ()),
        (f"{OLD}f", ()),
        (f"g{OLD}g", (1,)),
        ("", ()),
    ],
)
def test_digits_count_where_they_are_no_longer_number(text: str, offsets: tuple[int, ...]) -> None:
    found = find_sites(text.encode(), "cs", [OLD])
    assert found == ({OLD: Sites((), (), offsets)} if offsets else {})
