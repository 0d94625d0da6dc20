"""The table of extensions: class, content and main object of each, and the importers of classes."""

from __future__ import annotations

import pytest

from assetdb.unity.engine.classes import canonical_file_id
from assetdb.unity.kinds import (
    ASSEMBLY,
    DOCUMENTS,
    GRAPH,
    OTHER,
    SOURCE,
    URLS,
    Kind,
    Plan,
    content_of,
    extension_of,
    extensions_named_by,
    extensions_with,
    is_imported,
    is_inside_plugin,
    is_left_alone,
    is_lfs_pointer,
    is_misfit,
    is_yaml_head,
    kind_of,
    kind_without_documents,
    main_file_id,
    main_type,
    plan_of,
    scripted_type,
    split_name,
    type_key,
    type_of_extension,
    type_of_importer,
    usual_importer,
)

LFS = b"version https://git-lfs.github.com/spec/v1\n"


@pytest.mark.parametrize(
    ("extension", "kind"),
    [
        ("prefab", Kind(1001, DOCUMENTS, "=", "embedded")),
        ("asset", Kind(0, DOCUMENTS, "11400000", "rows")),
        ("vfx", Kind(2058629509, SOURCE, "=", "documents")),
        ("asmdef", Kind(1153, ASSEMBLY, "=", "-")),
        ("shadergraph", Kind(48, GRAPH, "-6465566751694194690", "scripted")),
        ("uss", Kind(114, URLS, "7433441132597879392", "scripted")),
        ("png", Kind(28, OTHER, "=", "texture")),
        ("raw", Kind(0, OTHER, "-", "-")),
        ("none", Kind(0, "", "-", "-")),
        ("", Kind(0, "", "-", "-")),
        ("PNG", Kind(0, "", "-", "-")),
    ],
)
def test_each_extension_has_a_row(extension: str, kind: Kind) -> None:
    assert kind_of(extension) == kind
    assert is_imported(extension) is bool(kind.content)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b" \r\n\t\0\0", "empty"),
        (LFS, "lfs"),
        (b"\xef\xbb\xbf" + LFS, "lfs"),
        (b" " + LFS, "text"),
        (b"text\0", "binary"),
        (b"text", "text"),
        (b"x" * 4096 + b"\0", "text"),
        (b"x" * 4095 + b"\0", "binary"),
        (b" " * 4096 + b"x", "empty"),
    ],
)
def test_a_file_without_documents_is_of_one_kind(data: bytes, kind: str) -> None:
    assert kind_without_documents(data) == kind
    assert is_lfs_pointer(data) is (kind == "lfs")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"%YAML 1.1\n", True),
        (b"--- !u!1 &5", True),
        (b"\xef\xbb\xbf%YAML", True),
        (b"\xef\xbb\xbf--- !u!", True),
        (b"--- !x", False),
        (b" %YAML", False),
        (b"", False),
    ],
)
def test_yaml_of_unity_is_told_by_its_head(head: bytes, expected: bool) -> None:  # noqa: FBT001 - a row
    assert is_yaml_head(head) is expected


def test_extensions_are_found_by_content() -> None:
    assert extensions_with(ASSEMBLY) == {"asmdef", "asmref"}
    assert extensions_with(SOURCE, ASSEMBLY) == {"asmdef", "asmref", "vfx", "vfxoperator", "vfxblock", "spritelib"}
    assert extensions_with() == extensions_with("") == frozenset()


@pytest.mark.parametrize(
    ("extension", "importer", "content"),
    [
        ("mat", "DefaultImporter", DOCUMENTS),
        ("png", "NativeFormatImporter", OTHER),
        ("odd", "NativeFormatImporter", DOCUMENTS),
        ("odd", "PrefabImporter", DOCUMENTS),
        ("odd", "DefaultImporter", ""),
        ("odd", "", ""),
    ],
)
def test_an_unknown_extension_has_the_content_of_its_importer(extension: str, importer: str, content: str) -> None:
    assert content_of(extension, importer) == content


def test_classes_of_extensions_and_importers() -> None:
    assert [type_of_extension(name) for name in ("PNG", "prefab", "asset", "raw", "none", "")] == [
        *(28, 1001, None, None, None, None)
    ]
    assert [type_of_importer(name) for name in ("TextureImporter", "C4DImporter", "DefaultImporter")] == [28, 1, 1029]
    assert [type_of_importer(name) for name in ("NativeFormatImporter", "ScriptedImporter", "")] == [None, None, None]
    assert [usual_importer(number) for number in (28, 1, 1029, 115, 114, 0)] == [
        *("TextureImporter", "ModelImporter", "PluginImporter", "MonoImporter", "", "")
    ]


@pytest.mark.parametrize(
    ("extension", "importer", "number"),
    [
        ("PREFAB", "", 100100000),
        ("unity", "", 102900000),
        ("mat", "", 2100000),
        ("asset", "", 11400000),
        ("asset", "NativeFormatImporter", 11400000),
        ("png", "TextureImporter", 2800000),
        ("cs", "", 11500000),
        ("fbx", "ModelImporter", 100100000),
        ("fbx", "ScriptedImporter", None),
        ("glb", "ScriptedImporter", None),
        ("uss", "ScriptedImporter", 7433441132597879392),
        ("uss", "", 7433441132597879392),
        ("dll", "PluginImporter", -1121539586),
        ("dll", "", 102900000),
        ("md", "DefaultImporter", 102900000),
        ("md", "TextScriptImporter", 4900000),
        ("uss", "DefaultImporter", canonical_file_id(114)),
        ("json", "PackageManifestImporter", canonical_file_id(1896753125)),
        ("json", "TextScriptImporter", 4900000),
        ("none", "TextureImporter", 2800000),
        ("none", "ModelImporter", 100100000),
        ("none", "", None),
        ("onnx", "ScriptedImporter", None),
    ],
)
def test_the_main_object_of_an_asset(extension: str, importer: str, number: int | None) -> None:
    assert main_file_id(extension, importer) == number


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        (b"Grass.PNG", (b"Grass", b"png")),
        (b"a.b.mat", (b"a.b", b"mat")),
        (b"README", (b"README", b"")),
        (b".hidden", (b".hidden", b"")),
        (b"end.", (b"end", b"")),
        (b"", (b"", b"")),
    ],
)
def test_names_are_split_at_the_last_dot(name: bytes, parts: tuple[bytes, bytes]) -> None:
    assert split_name(name) == parts


@pytest.mark.parametrize(
    ("extension", "importer", "flags", "main"),
    [
        (b"mat", "NativeFormatImporter", "read typed", 2100000),
        (b"asset", "NativeFormatImporter", "read typed rows", 11400000),
        (b"prefab", "PrefabImporter", "read typed rows embedded by_extension", 0),
        (b"unity", "DefaultImporter", "read typed by_extension", 0),
        (b"controller", "NativeFormatImporter", "read typed rows embedded", 9100000),
        (b"shadergraph", "ScriptedImporter", "read", 0),
        (b"png", "TextureImporter", "", 0),
        (b"wlt", "DefaultImporter", "look", 0),
        (b"odd", "NativeFormatImporter", "read typed", 0),
        (b"\xff", "DefaultImporter", "look", 0),
    ],
)
def test_how_a_kind_of_asset_is_read(extension: bytes, importer: str, flags: str, main: int) -> None:
    plan = plan_of(extension, importer)
    assert {name for name in Plan._fields[:-1] if getattr(plan, name)} == set(flags.split())
    assert plan.main == main


@pytest.mark.parametrize(
    ("extension", "class_id", "importer", "key"),
    [
        (b"png", 5, "DefaultImporter", b"28"),
        (b"md", 0, "DefaultImporter", b"1029"),
        (b"md", 0, "TextScriptImporter", b"49"),
        (b"asset", 21, "NativeFormatImporter", b"21"),
        (b"asset", 1, "NativeFormatImporter", b"1"),
        (b"asset", 194, "NativeFormatImporter", b"1029"),
        (b"asset", (1 << 32) - 1, "NativeFormatImporter", b"%d" % ((1 << 32) - 1)),
        (b"asset", 1 << 32, "NativeFormatImporter", b"1029"),
        (b"odd", 0, "TextureImporter", b"28"),
        (b"odd", 0, "NoImporter", b"1029"),
    ],
)
def test_a_type_is_that_of_extension_then_class_then_importer(
    extension: bytes, class_id: int, importer: str, key: bytes
) -> None:
    assert type_key(extension, class_id, importer) == key
    assert type_key(extension, class_id, importer) == key  # as it is known now


@pytest.mark.parametrize(
    ("extension", "importer", "misfit"),
    [
        (b"cs", "TextScriptImporter", True),
        (b"cs", "MonoImporter", False),
        (b"cs", "", False),
        (b"txt", "MonoImporter", False),
        (b"mat", "PrefabImporter", True),
        (b"png", "ScriptedImporter", False),
    ],
)
def test_an_importer_of_other_files_is_a_misfit(extension: bytes, importer: str, misfit: bool) -> None:  # noqa: FBT001 - a row
    assert is_misfit(extension, importer) is misfit


@pytest.mark.parametrize(
    ("path", "is_alone"),
    [
        (b"Assets/StreamingAssets/a.txt", True),
        (b"assets/streamingassets/Sub/a.txt", True),
        (b"Assets/Sub/StreamingAssets/a.txt", False),
        (b"Assets/Plugins/Android/assets/a.txt", True),
        (b"Assets/Native.plugin/Contents/a.txt", True),
        (b"Assets/Sub/Native.PLUGIN/a.txt", True),
        (b"Assets/Native.plugin", False),
        (b"Assets/a.txt", False),
    ],
)
def test_folders_that_unity_does_not_import(path: bytes, is_alone: bool) -> None:  # noqa: FBT001 - a row
    assert is_left_alone(path) == is_alone


@pytest.mark.parametrize(
    ("class_id", "path", "name"),
    [
        (114, "Assets/a.inputactions", "InputActionAsset"),
        (114, "Assets/a.asset", "MonoBehaviour"),
        (21, "Assets/a.mat", "Material"),
        (99_999, "Assets/a.asset", "99999"),
    ],
)
def test_a_main_object_is_named_by_its_class_or_its_importer(class_id: int, path: str, name: str) -> None:
    assert main_type(class_id, path) == name


@pytest.mark.parametrize(
    ("class_id", "importer"), [(28, "TextureImporter"), (1029, "PluginImporter"), (115, "MonoImporter"), (4, "")]
)
def test_most_files_of_a_class_have_one_importer(class_id: int, importer: str) -> None:
    assert usual_importer(class_id) == importer


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        (b"Assets/Plugins/A.bundle/Contents/a.txt", True),
        (b"Assets/A.Framework/a.h", True),
        (b"Assets/A.plugin/a", True),
        (b"Assets/A.app/a", True),
        (b"Assets/A.bundle", False),
        (b"Assets/Abundle/a", False),
    ],
)
def test_folders_that_are_one_plug_in(path: bytes, *, inside: bool) -> None:
    assert is_inside_plugin(path) is inside


@pytest.mark.parametrize(
    ("path", "extension"), [("A/B.PNG", "png"), ("A.b/LICENSE", ""), ("a.tar.gz", "gz"), ("A/.png", "png"), ("", "")]
)
def test_an_extension_follows_the_last_dot_of_the_name(path: str, extension: str) -> None:
    assert extension_of(path) == extension
    assert scripted_type("inputactions") == "InputActionAsset"
    assert scripted_type(extension) == ""


def test_extensions_are_told_by_their_namer() -> None:
    assert {"png", "psd"} <= extensions_named_by("texture")
    assert "fbx" not in extensions_named_by("texture")
    assert extensions_named_by("nobody") == frozenset()
    assert kind_of("unknown") == (0, "", "-", "-")
