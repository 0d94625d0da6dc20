"""The whole tree of errors.

::

    AssetdbError                 everything that assetdb raises on purpose
    ├── UsageError               the command line or an argument asks for something that cannot be
    │   └── ToolError            a call of an assistant has no answer [assetdb.mcp.answers]
    ├── ProjectError             no Unity project where one was looked for, or it cannot be read
    ├── ConfigurationError       assetdb.toml or the user's own settings are wrong
    ├── FileError                what should be a file is none, or is larger than it may be
    ├── DatabaseError            an asset-db.bin (or its index) is damaged, or of another version
    ├── BakeError                the project has problems that make its database ambiguous; carries them all
    ├── HistoryError             git cannot say what a revision or the index holds
    ├── ScanError                the system could not tell what the project holds; carries where and its number
    ├── MendingError             a file cannot be changed, or is not what it was when that was planned
    ├── LockedError              another process holds the project's lock for too long
    ├── DaemonError              the watch daemon cannot be started, reached or asked
    │   ├── NotRunningError      the project has none, or not one that this version can ask
    │   └── RequestError         it answered with an error; carries its code
    ├── ObserverError            files cannot be watched this way: the next way is tried [assetdb.daemon.observers.api]
    └── FramingError             an editor's messages cannot be told apart: the end [assetdb.lsp.protocol.framing]

Errors that one module raises and its neighbour answers; none of them leaves its folder::

    Exception
    ├── RpcError                 an answer of the daemon, with a code of JSON-RPC [assetdb.daemon.rpc.protocol]
    ├── TooLargeError            an answer would be larger than one may be [assetdb.daemon.rpc.protocol]
    ├── LspError                 an answer of the language server, with its code [assetdb.lsp.protocol.structures]
    ├── McpError                 an answer of the server for assistants, with its code [assetdb.mcp.protocol]
    ├── ArgumentError            a tool does not take such arguments [assetdb.mcp.arguments]
    ├── BadCursorError           a cursor is none, or of another call [assetdb.mcp.paging]
    ├── NoResourceError          an address names no resource [assetdb.mcp.calls]
    ├── NoAnswerError            a catalog has no answer; the others have theirs [assetdb.cli.catalog.each]
    ├── DamagedCacheError        the cache counts as absent [assetdb.scan.known.cache]
    └── LimitError               the kernel has no more watches: the next way [assetdb.daemon.observers.inotify_calls]

Signals to work that goes on, which nothing that catches errors may catch::

    BaseException
    ├── Cancelled                nobody waits for the answer any more [assetdb.system.jobs]
    └── StoppedEarly             a signal ended the first look at a project [assetdb.daemon.start]

Of foreign formats, the root of each family::

    FormatError                  bytes of a foreign format are not what they should be [assetdb_formats.binary]
    ├── AddressablesError        [assetdb_formats.addressables.errors]
    ├── CassetError              [assetdb_formats.casset.errors]
    ├── UnityFSError             [assetdb_formats.unityfs.errors]
    ├── UnrealError              [assetdb_formats.unreal.errors]
    ├── InputError               a folder or archive cannot be searched or unpacked [assetdb_formats.inputs]
    ├── MissingExtraError        an optional library is not installed [assetdb_formats.extras]
    └── UnsafeNameError          a name leaves its folder, or is another's as well [assetdb_formats.extraction]
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.diagnostics import Diagnostic


class AssetdbError(Exception):
    """Everything that assetdb raises on purpose."""


class UsageError(AssetdbError):
    """The command line or an argument asks for something that cannot be."""


class ProjectError(AssetdbError):
    """No Unity project was found, or it cannot be read."""


class ConfigurationError(AssetdbError):
    """A wrong setting in ``assetdb.toml`` or the user's own settings."""


class FileError(AssetdbError):
    """A path that is no regular file, or a file too large."""


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
    """The watch daemon cannot be started, reached or asked."""


class NotRunningError(DaemonError):
    """The project has no daemon that this version can ask."""


class RequestError(DaemonError):
    """The watch daemon answered with an error.

    Attributes:
        code: of JSON-RPC, or one of ``assetdb.daemon.rpc.protocol``.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
