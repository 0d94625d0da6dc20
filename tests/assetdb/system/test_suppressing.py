"""``suppress`` lets pass what ``contextlib.suppress`` does."""

import contextlib

import pytest

from assetdb.system.suppressing import suppress

KINDS = ((), (OSError,), (ValueError, OSError), (LookupError,), (BaseException,))
ERRORS = (OSError(), FileNotFoundError(), KeyError(), ValueError(), KeyboardInterrupt())


def passes(block: contextlib.AbstractContextManager[object, bool | None], error: BaseException) -> bool:
    return bool(block.__exit__(type(error), error, None))


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("error", ERRORS)
def test_the_same_errors_pass(kinds: tuple[type[BaseException], ...], error: BaseException) -> None:
    assert passes(suppress(*kinds), error) is passes(contextlib.suppress(*kinds), error)


def test_a_block() -> None:
    with suppress(OSError):
        open("/there/is/no/such/file").close()
    with pytest.raises(KeyError), suppress(OSError):
        raise KeyError
