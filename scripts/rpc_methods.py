"""Write the table of RPC methods in ``docs/watch.md`` from the registry."""

from __future__ import annotations

import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from assetdb.daemon.rpc.control_methods import control_methods  # noqa: E402 - of this checkout
from assetdb.daemon.rpc.methods import query_methods  # noqa: E402 - the same
from assetdb.daemon.rpc.registry import documentation  # noqa: E402 - the same

PAGE = CHECKOUT / "docs" / "watch.md"
BEGIN = "<!-- methods, written by scripts/rpc_methods.py -->\n"
END = "<!-- end of methods -->\n"


def with_methods(text: str) -> str:
    """Return the guide with the table of methods as the registry has them.

    Raises:
        ValueError: the guide has no place for it.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE}: {BEGIN.strip()} and {END.strip()} are where the table goes")
    methods = [*query_methods.methods.values(), *control_methods.methods.values()]
    return before + begin + documentation(methods) + end + after


if __name__ == "__main__":
    PAGE.write_text(with_methods(PAGE.read_text("utf-8")), "utf-8")
    print(PAGE.relative_to(CHECKOUT))
