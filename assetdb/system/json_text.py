"""JSON without importing ``json``, for programs that start quickly.

``json`` takes 1.5 ms to import, 3 more with ``re``; its C part nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:

    def quote(text: str) -> str:
        """Return a text as JSON, in ASCII."""

    def read_json(text: str) -> object:
        """Return the value of a JSON text.

        Raises:
            ValueError: it is invalid.
        """

    def write_json(value: object) -> bytes:
        """Return a value as JSON in UTF-8, lone surrogates as escapes."""

else:
    try:
        from _json import encode_basestring, make_encoder, make_scanner
        from _json import encode_basestring_ascii as quote

        def _refuse(value: object) -> object:
            raise TypeError(type(value).__name__)

        # In C, so by position: neither sorted keys, nor skipped keys, nor NaN.
        _encode = make_encoder(None, _refuse, encode_basestring, None, ":", ",", False, False, False)  # noqa: FBT003

        class _Context:
            """The context that the scanner of ``json`` needs."""

            strict = True
            object_hook = None
            object_pairs_hook = None
            parse_float = float
            parse_int = int

            @staticmethod
            def parse_constant(name: str) -> object:
                raise ValueError(name)

        _scan = make_scanner(_Context())

        def read_json(text: str) -> object:
            """Return the value of a JSON text."""
            text = text.strip(" \t\n\r")
            try:
                value, end = _scan(text, 0)
            except (StopIteration, RecursionError, SystemError) as error:  # SystemError: ``json.decoder`` is missing
                raise ValueError(text[:50]) from error
            if end != len(text):
                raise ValueError(text[end : end + 50])
            return value

        def write_json(value: object) -> bytes:
            """Return a value as JSON, in UTF-8."""
            return "".join(_encode(value, 0)).encode("utf-8", "backslashreplace")

    except ImportError:  # another Python than CPython
        from json import dumps as quote
        from json import loads as read_json

        def write_json(value: object) -> bytes:
            """Return a value as JSON in UTF-8, lone surrogates as escapes."""
            return quote(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


__all__ = ["quote", "read_json", "write_json"]
