"""A time without the collector of garbage: where nothing goes in circles, looking for circles is all that it does.

It is 2 % of a first bake, and a third of the time where a million references are held. Whoever runs in a process of
others has it again afterwards: circles elsewhere hold files open until they are collected.
"""

from __future__ import annotations

import gc


class Uncollected:
    """``with Uncollected(): ...``; what was on before is on again afterwards."""

    __slots__ = ("_was_enabled",)

    def __init__(self, *, wanted: bool = True) -> None:
        """Prepare; where it is not ``wanted``, nothing changes."""
        self._was_enabled = wanted and gc.isenabled()

    def __enter__(self) -> None:
        """Switch it off."""
        if self._was_enabled:
            gc.disable()

    def __exit__(self, *_: object) -> None:
        """Switch it on again, if it was."""
        if self._was_enabled:
            gc.enable()
