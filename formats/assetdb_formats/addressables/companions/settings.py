"""Reader of settings.json (ResourceManagerRuntimeData).

It names the package version that built a game.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.json.tagged import read_tagged

if TYPE_CHECKING:
    from assetdb_formats.addressables.model import Data


class CatalogLocation(NamedTuple):
    """The location of a catalog, or of a hash, in the settings.

    ``keys`` are AddressablesMainContentCatalog, alone or with RemoteHash, CacheHash or LocalHash behind it;
    ``data`` is the decoded SerializedData.
    """

    keys: tuple[str, ...]
    internal_id: str
    provider: str
    dependencies: tuple[str, ...]
    type_name: str
    data: Data


class Settings(NamedTuple):
    """ResourceManagerRuntimeData. ``version`` is the package's, None before 1.16.13."""

    version: str | None
    build_target: str | None
    settings_hash: str | None
    catalogs: tuple[CatalogLocation, ...]
    catalog_in_bundle: bool
    disable_catalog_update: bool
    max_concurrent_requests: int | None
    catalog_timeout: int | None  # seconds
    fields: dict[str, Any]  # the whole object


def read_settings(data: bytes) -> Settings:
    """Read settings.json. Raises AddressablesError."""
    fields = json_object(data)
    catalogs = []
    for number, value in enumerate(_typed(fields, "m_CatalogLocations", list) or ()):
        field = f"m_CatalogLocations[{number}]"
        if not isinstance(value, dict):
            raise AddressablesError("is not an object", field=field)
        numbers = _typed(value, "SerializedData", list, field)
        extra: Data = None
        if numbers:
            try:
                raw = bytes(numbers)
            except (ValueError, TypeError):
                raise AddressablesError("is not a list of bytes", field=f"{field}.SerializedData") from None
            extra = read_tagged(raw, 0, f"{field}.SerializedData")[0]
        kind = value.get("m_ResourceType")
        catalogs.append(
            CatalogLocation(
                _texts(value, "m_Keys", field),
                _typed(value, "m_InternalId", str, field) or "",
                _typed(value, "m_Provider", str, field) or "",
                _texts(value, "m_Dependencies", field),
                str(kind.get("m_ClassName", "")) if isinstance(kind, dict) else "",
                extra,
            )
        )
    return Settings(
        _typed(fields, "m_AddressablesVersion", str) or None,
        _typed(fields, "m_buildTarget", str),
        _typed(fields, "m_SettingsHash", str),
        tuple(catalogs),
        bool(_typed(fields, "m_IsLocalCatalogInBundle", bool)),
        bool(_typed(fields, "m_DisableCatalogUpdateOnStart", bool)),
        _typed(fields, "m_maxConcurrentWebRequests", int),
        _typed(fields, "m_CatalogRequestsTimeout", int),
        fields,
    )


def json_object(data: bytes) -> dict[str, Any]:
    """Parse a file that is one JSON object. Raises AddressablesError."""
    try:
        fields = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise AddressablesError("is not UTF-8", offset=error.start) from None
    except json.JSONDecodeError as error:
        raise AddressablesError(f"is not JSON: {error.msg}", offset=error.pos) from None
    except (RecursionError, ValueError) as error:
        raise AddressablesError(f"is not JSON: {error}", offset=0) from None
    if not isinstance(fields, dict):
        raise AddressablesError(f"is a JSON {type(fields).__name__}, not an object", offset=0)
    return fields


def _typed(fields: dict[str, Any], name: str, kind: type, inside: str = "") -> Any:  # noqa: ANN401 - it is ``kind``
    value = fields.get(name)
    if value is not None and not isinstance(value, kind):
        raise AddressablesError(f"is {type(value).__name__}, not {kind.__name__}", field=f"{inside}.{name}".lstrip("."))
    return value


def _texts(fields: dict[str, Any], name: str, inside: str) -> tuple[str, ...]:
    values = _typed(fields, name, list, inside) or []
    if not all(isinstance(value, str) for value in values):
        raise AddressablesError("is not a list of text", field=f"{inside}.{name}")
    return tuple(values)
