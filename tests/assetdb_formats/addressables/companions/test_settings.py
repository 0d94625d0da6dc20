"""Settings field by field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assetdb_formats.addressables.companions.settings import CatalogLocation, json_object, read_settings
from assetdb_formats.addressables.errors import AddressablesError


def read(**fields: Any) -> Any:  # noqa: ANN401 - any JSON in, a fact of any type out
    return read_settings(json.dumps(fields).encode())


def test_settings_have_their_facts_or_none() -> None:
    whole = read(
        m_AddressablesVersion="2.0", m_buildTarget="Android", m_SettingsHash="h", m_IsLocalCatalogInBundle=True,
        m_DisableCatalogUpdateOnStart=True, m_maxConcurrentWebRequests=3, m_CatalogRequestsTimeout=4,
    )  # fmt: skip
    assert whole[:8] == ("2.0", "Android", "h", (), True, True, 3, 4)
    assert whole.fields["m_buildTarget"] == "Android"
    assert read()[:8] == (None, None, None, (), False, False, None, None)
    assert read(m_AddressablesVersion="").version is None
    location = {
        "m_Keys": ["k"], "m_InternalId": "i", "m_Provider": "p", "m_Dependencies": ["d"],
        "m_ResourceType": {"m_ClassName": "C"}, "SerializedData": [4, 7, 0, 0, 0],
    }  # fmt: skip
    assert read(m_CatalogLocations=[location, {}]).catalogs == (
        CatalogLocation(("k",), "i", "p", ("d",), "C", 7), CatalogLocation((), "", "", (), "", None)
    )  # fmt: skip
    assert read(m_CatalogLocations=[{"m_ResourceType": {}}]).catalogs[0].type_name == ""


@pytest.mark.parametrize(
    ("fields", "what", "field"),
    [
        ({"m_buildTarget": 1}, "is int, not str", "m_buildTarget"),
        ({"m_IsLocalCatalogInBundle": 1}, "is int, not bool", "m_IsLocalCatalogInBundle"),
        ({"m_CatalogLocations": {}}, "is dict, not list", "m_CatalogLocations"),
        ({"m_CatalogLocations": [{}, 1]}, "is not an object", "m_CatalogLocations[1]"),
        ({"m_CatalogLocations": [{"m_Keys": [1]}]}, "is not a list of text", "m_CatalogLocations[0].m_Keys"),
        ({"m_CatalogLocations": [{"m_Provider": 1}]}, "is int, not str", "m_CatalogLocations[0].m_Provider"),
        ({"m_CatalogLocations": [{"SerializedData": [256]}]}, "is not a list of bytes",
         "m_CatalogLocations[0].SerializedData"),
        ({"m_CatalogLocations": [{"SerializedData": ["x"]}]}, "is not a list of bytes",
         "m_CatalogLocations[0].SerializedData"),
    ],
)  # fmt: skip
def test_a_field_of_another_type_is_named(fields: dict[str, Any], what: str, field: str) -> None:
    with pytest.raises(AddressablesError) as caught:
        read(**fields)
    assert (caught.value.what, caught.value.field) == (what, field)


def test_a_file_that_is_no_json_object_is_an_error_with_its_place() -> None:
    assert json_object(b'\xef\xbb\xbf{"a":1}') == {"a": 1}
    for data, what, offset in (
        (b"{\xff", "is not UTF-8", 1), (b'{"a"', "is not JSON: Expecting ':' delimiter", 4),
        (b"[]", "is a JSON list, not an object", 0), (b"[" * 100_000, "is not JSON: ", 0),
        (b'{"a":' + b"1" * 5000 + b"}", "is not JSON: Exceeds", 0),
    ):  # fmt: skip
        with pytest.raises(AddressablesError, match=what) as caught:
            json_object(data)
        assert caught.value.offset == offset
