"""The package that an absent GUID belongs to, and why its file is not there."""

from __future__ import annotations

import pytest

from assetdb.packages.belonging import (
    ELSEWHERE,
    LACKING,
    NOT_REQUIRED,
    OTHER_VERSION,
    TO_IMPORT,
    UNDECIDED,
    Belonging,
    belonging,
    expected_location,
    explained,
    public_path,
)
from assetdb.packages.listing import FIELD, NO_PACKAGES, PackageList, PackageRow
from assetdb.packages.location import EDITOR, Location
from assetdb.packages.public.table import PublicFile
from assetdb.unity.importers.editor_assemblies import ASSEMBLIES

TMP = "f4688fdb7df04437aeb418b961361dc5"  # TextMeshProUGUI
IMAGE = "fe87c0e1cc204ed48ad3b37840f39efc"  # of ugui alone
LIBERATION = "8f586378b4e144a9851e7b34d9b748ee"  # LiberationSans SDF, of TMP Essential Resources
SAMPLE = "00022e44e06ba4686a52ff33cd6af19b"  # a prefab in a sample of AI Navigation
CURVE = "065d73e2d88f4ba781fe794508e2b784"  # CurveProcessor.cs of previews of the Input System
LIT = "31321ba15b8f8eb4c954353edc038b1d"  # Lit.mat: LWRP gave it the GUID that URP has
GONE = "which Packages/manifest.json does not require (any more)"
RESOURCES = "TMP Essential Resources, which com.unity.textmeshpro offers"
LIGHT = "7a68c43fe1f2a47cfa234b5eeaa98012"  # HDAdditionalLightData


def packages(*rows: str, embedded: str = "", is_closed: bool = True, exact: bool = True) -> PackageList:
    found = [PackageRow(*row.split("@"), "", immutable=False, exact=exact) for row in rows]
    own = (embedded.replace("@", FIELD),) if embedded else ()
    return NO_PACKAGES._replace(rows=tuple(found), embedded=own, is_closed=is_closed)


def standing(guid: str, listed: PackageList) -> tuple[str, str]:
    found = belonging(guid, listed)
    assert found is not None
    return found.standing, found.file.package


@pytest.mark.parametrize(
    ("guid", "listed", "expected"),
    [
        (TMP, packages("com.unity.textmeshpro@3.0.6", "com.unity.ugui@1.0.0"), (ELSEWHERE, "com.unity.textmeshpro")),
        (TMP, packages("com.unity.ugui@2.0.0"), (ELSEWHERE, "com.unity.ugui")),
        (TMP, packages("com.unity.ugui@1.0.0"), (NOT_REQUIRED, "com.unity.textmeshpro")),
        (TMP, packages("com.unity.ugui@1.0.0", is_closed=False), (UNDECIDED, "com.unity.textmeshpro")),
        (TMP, packages("com.unity.ugui@1.0.0", exact=False), (ELSEWHERE, "com.unity.ugui")),
        (TMP, packages(), (NOT_REQUIRED, "com.unity.textmeshpro")),
        (TMP, packages(is_closed=False), (UNDECIDED, "com.unity.textmeshpro")),
        (
            LIT,
            packages("com.unity.render-pipelines.universal@12.1.7"),
            (ELSEWHERE, "com.unity.render-pipelines.universal"),
        ),
        (
            LIT,
            packages("com.unity.render-pipelines.lightweight@5.7.2"),
            (ELSEWHERE, "com.unity.render-pipelines.lightweight"),
        ),
        (IMAGE, packages(embedded="com.unity.ugui@1.0.0"), (LACKING, "com.unity.ugui")),
        (IMAGE, packages("com.unity.ugui@99.0.0"), (ELSEWHERE, "com.unity.ugui")),
        (LIBERATION, packages("com.unity.textmeshpro@3.0.6"), (TO_IMPORT, "com.unity.textmeshpro")),
    ],
)
def test_a_required_package_is_meant_before_any_other(
    guid: str, listed: PackageList, expected: tuple[str, str]
) -> None:
    assert standing(guid, listed) == expected


def test_what_no_package_has_belongs_to_none() -> None:
    assert belonging("ab" * 16, packages()) is None
    assert belonging(SAMPLE, packages()) is None  # a copy of anybody's
    assert belonging("fcf7219bab7fe46a1ad266029b2fee19", packages()) is None  # Readme.cs of a template


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.1.2-preview", ELSEWHERE),
        ("0.2.10-preview", ELSEWHERE),
        ("1.0.0", OTHER_VERSION),
        ("1.2.99", ELSEWHERE),  # nobody knows what it has
        ("https://example.org/inputsystem.git", ELSEWHERE),
    ],
)
def test_only_a_version_of_which_all_files_are_known_lacks_one(version: str, expected: str) -> None:
    assert standing(CURVE, packages(f"com.unity.inputsystem@{version}")) == (expected, "com.unity.inputsystem")


@pytest.mark.parametrize(
    ("guid", "listed", "said"),
    [
        (
            TMP,
            packages(),
            f"TextMeshProUGUI.cs of com.unity.textmeshpro or com.unity.ugui, {GONE}",
        ),
        (
            TMP,
            packages("com.unity.ugui@1.0.0"),
            f"TextMeshProUGUI.cs of com.unity.textmeshpro, {GONE}",
        ),
        (
            CURVE,
            packages("com.unity.inputsystem@1.0.0"),
            "CurveProcessor.cs is not in com.unity.inputsystem 1.0.0 any more: 0.1.2-preview to 0.2.10-preview have it",
        ),
        (
            IMAGE,
            packages(embedded="com.unity.ugui@1.0.0"),
            "Image.cs is not in com.unity.ugui as it is on this machine",
        ),
        (
            LIBERATION,
            packages("com.unity.textmeshpro@3.0.6"),
            f"LiberationSans SDF.asset is of {RESOURCES}: import it again",
        ),
    ],
)
def test_the_words_name_every_package(guid: str, listed: PackageList, said: str) -> None:
    found = belonging(guid, listed)
    assert found is not None
    assert explained(found) == said


def test_leftovers_of_pipelines_are_known() -> None:
    light, text = belonging(LIGHT, packages()), belonging(TMP, packages())
    assert light is not None
    assert text is not None
    assert (light.is_leftover, text.is_leftover) == (True, False)


def test_a_path_is_that_of_a_package_that_may_be_there() -> None:
    image = "Packages/com.unity.ugui/Runtime/UGUI/UI/Core/Image.cs"
    assert public_path(IMAGE, packages("com.unity.ugui@1.0.0")) == image
    assert public_path(IMAGE, packages()) == ""
    assert public_path("ab" * 16, packages()) == ""


def test_a_file_of_an_absent_package_has_its_location() -> None:
    found = expected_location(TMP, packages())
    assert found == Location(
        "Packages/com.unity.textmeshpro/Scripts/Runtime/TextMeshProUGUI.cs",
        "",
        115,
        package="com.unity.textmeshpro",
        standing=NOT_REQUIRED,
    )
    light = expected_location(LIGHT, packages())
    assert light is not None
    assert light.leftover
    assert expected_location("ab" * 16, packages()) is None


def test_assemblies_of_old_editors_are_located_before_any_package() -> None:
    guid, path = next(iter(ASSEMBLIES.items()))
    assert expected_location(guid, packages()) == Location(path, "", 1029, package=EDITOR)


@pytest.mark.parametrize(
    ("path", "offer"),
    [
        ("Samples~/Build Settings/Editor/Tool.cs", "the sample Build Settings"),
        ("Content/Samples~/Deep/Tool.cs", "the sample Deep"),
        ("Samples~", "Samples~"),
        ("Extras/Essentials.unitypackage:Assets/Fonts/a.ttf", "Essentials"),
        ("Essentials.unitypackage:Assets/a.ttf", "Essentials"),
    ],
)
def test_what_is_to_be_imported_is_called_by_its_sample_or_asset_package(path: str, offer: str) -> None:
    file = PublicFile("com.acme.tools", path, "1.0.0", "1.0.0", "+m")
    name = path.rpartition("/")[2]
    assert explained(Belonging(TO_IMPORT, file, "1.0.0", ())) == (
        f"{name} is of {offer}, which com.acme.tools offers: import it again"
    )


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("2.0.0", "2.0.0", "yet: it has 2.0.0"),
        ("2.0.0", "3.1.0", "yet: 2.0.0 to 3.1.0 have it"),
        ("1.0.0", "1.4.0", "any more: 1.0.0 to 1.4.0 have it"),
    ],
)
def test_another_version_comes_before_or_after_those_that_have_a_file(first: str, last: str, said: str) -> None:
    found = Belonging(OTHER_VERSION, PublicFile("com.acme.tools", "Tool.cs", first, last, "m"), "1.5.0", ())
    assert explained(found) == f"Tool.cs is not in com.acme.tools 1.5.0 {said}"
