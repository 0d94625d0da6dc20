"""The version, in a module that costs nothing to import."""

VERSION = "0.1.0"


def described_version() -> str:
    """Return the version as printed, with whether hot modules are compiled."""
    from importlib.util import find_spec  # noqa: PLC0415 - every cache asks for the version alone

    spec = find_spec("assetdb.scan.asset")  # the first of those that mypyc compiles
    compiled = spec is not None and is_compiled(str(spec.origin))
    return f"assetdb {VERSION} ({'compiled' if compiled else 'pure Python'})"


def is_compiled(file: str) -> bool:
    """Whether a module's ``__file__`` is an extension that mypyc made of it."""
    return not file.endswith((".py", ".pyc"))
