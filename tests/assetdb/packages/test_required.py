"""The packages that a project requires, by its lists and by what packages say of themselves."""

from __future__ import annotations

import json

from assetdb.packages.required import required_packages
from assetdb.unity.settings.packages import DeclaredPackages, Package, read_packages

UGUI = {"com.unity.modules.ui": "1.0.0"}


def lists(
    manifest: dict[str, object] | None, lock: dict[str, object] | None = None, *embedded: str
) -> DeclaredPackages:
    packed = [json.dumps({"dependencies": found}).encode() if found is not None else None for found in (manifest, lock)]
    return read_packages(*packed, embedded)


def locked(version: str, **needs: str) -> dict[str, object]:
    return {"version": version, "source": "registry", "dependencies": needs}


def required(listed: DeclaredPackages, own: dict[str, dict[str, str]] | None = None) -> dict[str, str]:
    def needs(package: Package) -> tuple[tuple[str, str], ...] | None:
        found = (own or {}).get(package.name)
        return tuple(found.items()) if found is not None else None

    found = required_packages(listed, needs)
    return {package.name: package.version for package in found.packages} | dict.fromkeys(found.unknown, "?")


def test_a_lock_file_has_what_the_manifest_leads_to() -> None:
    lock: dict[str, object] = {
        "a": locked("1.0.0", b="1.0.0"),
        "b": locked("1.2.0"),
        "c": locked("1.0.0", d="1.0.0"),  # taken out of the manifest; Unity has not resolved packages since
        "d": locked("1.0.0"),
    }
    assert required(lists({"a": "1.0.0"}, lock)) == {"a": "1.0.0", "b": "1.2.0"}
    assert set(required(lists(None, lock))) == {"a", "b", "c", "d"}


def test_a_package_that_nobody_knows_keeps_the_rest_of_the_lock_file() -> None:
    lock: dict[str, object] = {"a": {"version": "1.0.0"}, "c": locked("1.0.0")}
    assert required(lists({"a": "1.0.0"}, lock)) == {"a": "?", "c": "1.0.0"}


def test_packages_may_need_each_other() -> None:
    lock: dict[str, object] = {"a": locked("1.0.0", b="1.0.0"), "b": locked("1.0.0", a="1.0.0")}
    assert required(lists({"a": "1.0.0"}, lock)) == {"a": "1.0.0", "b": "1.0.0"}
    own = {"a": {"b": "2.0.0"}, "b": {"a": "3.0.0"}}
    assert required(lists({"a": "1.0.0"}), own) == {"a": "3.0.0", "b": "2.0.0"}


def test_without_a_lock_file_the_needs_are_those_of_the_packages() -> None:
    own = {"com.acme.own": {"com.acme.base": "2.0.0"}, "com.acme.base": {}}
    assert required(lists({}, None, "com.acme.own"), own) == {"com.acme.own": "", "com.acme.base": "2.0.0"}
    assert required(lists({"com.acme.base": "1.0.0"}, None, "com.acme.own"), own)["com.acme.base"] == "2.0.0"


def test_without_a_lock_file_the_needs_of_public_packages_are_known() -> None:
    # TextMesh Pro 3.0.6 needs ugui, as its package.json says.
    assert required(lists({"com.unity.textmeshpro": "3.0.6"}))["com.unity.ugui"] == "1.0.0"
    assert "com.unity.ugui" in required(lists({"com.unity.textmeshpro": "99.0.0"}))
    assert required(lists({"com.unity.textmeshpro": "https://example.org/fork.git"}))["com.unity.textmeshpro"] == "?"
    assert required(lists({"com.unity.modules.physics": "1.0.0"})) == {"com.unity.modules.physics": "1.0.0"}
    assert required(lists({"com.acme.private": "1.0.0"})) == {"com.acme.private": "?"}


def test_an_embedded_package_says_itself_what_it_needs() -> None:
    lock: dict[str, object] = {
        "e": {"version": "file:e", "source": "embedded", "dependencies": {"old": "1.0.0"}},
        "old": locked("1.0.0"),
        "new": locked("2.0.0"),
    }
    assert set(required(lists({}, lock, "e"), {"e": {"new": "1.0.0"}})) == {"e", "new"}


def test_names_and_versions_that_are_none_are_not_followed() -> None:
    own = {"a": {"../../etc": "1.0.0", "b": "../.."}}
    assert required(lists({"a": "1.0.0"}), own) == {"a": "?"}


def test_a_package_of_2018_may_be_excluded() -> None:
    assert required(lists({"com.unity.ads": "exclude"})) == {}
