"""The whole tree of errors.

::

    AssetdbError                 everything that assetdb raises on purpose
    ├── UsageError               the command line or an argument is wrong
    │   └── ToolError            a call of an assistant has no answer [assetdb.mcp.answers]
    ├── ProjectError             no Unity project where one was looked for, or it cannot be read
    ├── ConfigurationError       assetdb.toml or the user's own settings are wrong
    ├── FileError                a path is not a regular file, or the file is too large
    ├── DatabaseError            an asset-db.bin (or its index) is damaged, or of another version
    ├── BakeError                the project has problems that make its database ambiguous; carries all of them
    ├── HistoryError             git cannot read a revision or the index
    ├── ScanError                the tree cannot be read now; carries the path and the number of the error
    ├── MendingError             a file cannot be changed, or differs from the plan
    ├── LockedError              another process holds the project's lock for too long
    ├── DaemonError              the watch daemon cannot be started or reached, or does not answer
    │   ├── NotRunningError      the project has none that this version can use
    │   └── RequestError         it answered with an error; carries its code
    ├── ObserverError            files cannot be watched in this way, so another is tried [assetdb.daemon.observers.api]
    └── FramingError             an editor's messages cannot be separated [assetdb.lsp.protocol.framing]

Errors that are raised and caught within one folder::

    Exception
    ├── RpcError                 an answer of the daemon, with a code of JSON-RPC [assetdb.daemon.rpc.protocol]
    ├── TooLargeError            an answer would be larger than one may be [assetdb.daemon.rpc.protocol]
    ├── LspError                 an answer of the language server, with its code [assetdb.lsp.protocol.structures]
    ├── McpError                 an answer of the server for assistants, with its code [assetdb.mcp.protocol]
    ├── ArgumentError            a tool does not take such arguments [assetdb.mcp.arguments]
    ├── BadCursorError           a cursor is invalid, or of another call [assetdb.mcp.paging]
    ├── NoResourceError          there is no resource at an address [assetdb.mcp.calls]
    ├── NoAnswerError            one of several catalogs has no answer [assetdb.cli.catalog.answers]
    ├── QuitError                the user ends the questions about open values [assetdb.cli.merging.questions]
    ├── DamagedCacheError        the cache counts as absent [assetdb.scan.known.cache]
    └── LimitError               the kernel has no more watches [assetdb.daemon.observers.inotify_calls]

Signals that end work, which handlers of errors must not catch::

    BaseException
    ├── Cancelled                the answer is no longer needed [assetdb.system.jobs]
    └── StoppedEarly             a signal ended the first scan of a project [assetdb.daemon.start]

Errors of file formats, with the root of each family::

    FormatError                  the bytes of a file format are invalid [assetdb_formats.binary]
    ├── AddressablesError        [assetdb_formats.addressables.errors]
    ├── CassetError              [assetdb_formats.casset.errors]
    ├── UnityFSError             [assetdb_formats.unityfs.errors]
    ├── UnrealError              [assetdb_formats.unreal.errors]
    ├── InputError               a folder or archive cannot be searched or unpacked [assetdb_formats.inputs]
    ├── MissingExtraError        an optional library is not installed [assetdb_formats.extras]
    └── UnsafeNameError          a name leads out of its folder, or is used twice [assetdb_formats.extraction]
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.diagnostics import Diagnostic


class AssetdbError(Exception):
    """Everything that assetdb raises on purpose."""


class UsageError(AssetdbError):
    """The command line or an argument is wrong."""


class ProjectError(AssetdbError):
    """No Unity project was found, or it cannot be read."""


class ConfigurationError(AssetdbError):
    """A wrong setting in ``assetdb.toml`` or the user's own settings."""


class FileError(AssetdbError):
    """A path is not a regular file, or the file too large."""


class DatabaseError(AssetdbError):
    """An ``asset-db.bin`` (or its index) is damaged, or of another version."""


class BakeError(AssetdbError):
    """The project has problems that make its database ambiguous.

    Attributes:
        diagnostics: all of them, the fatal ones and the others, in a stable order.
        root: the project.
        referrers: returns the paths of the assets that refer to a GUID (32 hex digits).
    """

    def __init__(
        self,
        message: str,
        diagnostics: Sequence[Diagnostic],
        root: str = "",
        referrers: Callable[[str], list[str]] | None = None,
    ) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)
        self.root = root
        self.referrers = referrers


class ScanError(AssetdbError):
    """The tree cannot be read now: no descriptors, no memory, bad disk.

    Attributes:
        path: where, relative to the project.
        errno: the system's number of the error.
    """

    def __init__(self, message: str, path: str, errno: int) -> None:
        super().__init__(message)
        self.path = path
        self.errno = errno


class MendingError(AssetdbError):
    """A file cannot be changed, or differs from the plan; nothing changed."""


class HistoryError(AssetdbError):
    """Git cannot read a revision or index; the message has advice."""


class LockedError(AssetdbError):
    """Another process holds the project's lock for too long."""


class DaemonError(AssetdbError):
    """The watch daemon cannot be started or reached, or does not answer."""


class NotRunningError(DaemonError):
    """The project has no daemon that this version can use."""


class RequestError(DaemonError):
    """The watch daemon answered with an error.

    Attributes:
        code: of JSON-RPC, or one of ``assetdb.daemon.rpc.protocol``.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
