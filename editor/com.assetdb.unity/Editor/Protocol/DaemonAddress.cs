using System;

namespace AssetDb.Protocol
{
    /// <summary>Where a project's daemon says it is: the content of <c>asset-db.watch.json</c>.</summary>
    public sealed class DaemonAddress
    {
        /// <summary>Name of the status file in the output folder.</summary>
        public const string FileName = "asset-db.watch.json";

        /// <summary>How many bytes the status file may have.</summary>
        public const int MostBytes = 1 << 16;

        /// <summary>Version of what is spoken on the socket that this package speaks.</summary>
        public const int ProtocolVersion = 1;

        private const int IdentityDigits = 16;

        private DaemonAddress(JsonValue fields)
        {
            Process = fields.RequiredInteger("pid");
            Socket = fields.RequiredText("socket");
            Port = (int)Math.Max(0, Math.Min(ushort.MaxValue, fields.RequiredInteger("port")));
            Token = fields.RequiredText("token");
            Version = fields.RequiredText("version");
            Protocol = fields.RequiredInteger("protocol");
            Root = fields.RequiredText("root");
        }

        /// <summary>Number of the daemon's process.</summary>
        public long Process { get; }

        /// <summary>Path of the Unix socket, or <c>""</c>.</summary>
        public string Socket { get; }

        /// <summary>On the loopback, or 0; then <see cref="Token"/> is the path of the file with the two words.</summary>
        public int Port { get; }

        public string Token { get; }

        /// <summary>Of assetdb.</summary>
        public string Version { get; }

        public long Protocol { get; }

        /// <summary>Absolute path of the project that it serves.</summary>
        public string Root { get; }

        /// <summary>Read the status file's text.</summary>
        /// <exception cref="ProtocolException">It says nothing that can be used.</exception>
        public static DaemonAddress Read(string text)
        {
            var address = new DaemonAddress(JsonReader.Read(text, 4, 100).Expect(JsonKind.Object, DaemonAddress.FileName));
            if (address.Protocol != ProtocolVersion)
            {
                throw new ProtocolException(
                    $"the daemon is of assetdb {address.Version} and speaks protocol {address.Protocol}; this package speaks"
                    + $" {ProtocolVersion}: update the older of the two, then restart the daemon");
            }
            return address;
        }

        /// <summary>
        /// Whether a path of a status file can be one of assetdb's: <c>.../assetdb/1234567890abcdef.sock</c>,
        /// <c>.../assetdb-1000/...</c>, and on Windows <c>...\assetdb\run\....token</c>.
        /// </summary>
        /// <remarks>
        /// A status file may have come with a cloned project and say anything; this keeps it from having another socket
        /// of the user's opened, or another file of theirs read and sent to a port.
        /// </remarks>
        public static bool IsPlausible(string path, string extension)
        {
            string[] parts = path.Replace('\\', '/').Split('/');
            if (parts.Length < 3 || Array.IndexOf(parts, "..") >= 0 || !IsRooted(path))
            {
                return false;
            }
            string name = parts[parts.Length - 1];
            string folder = parts[parts.Length - 2];
            bool isOwnFolder = folder == "assetdb"
                || folder.StartsWith("assetdb-", StringComparison.Ordinal)
                || (folder == "run" && parts[parts.Length - 3] == "assetdb");
            if (!isOwnFolder || name.Length != IdentityDigits + extension.Length
                || !name.EndsWith(extension, StringComparison.Ordinal))
            {
                return false;
            }
            for (int at = 0; at < IdentityDigits; at++)
            {
                if (!Guids.IsHexDigit(name[at]))
                {
                    return false;
                }
            }
            return true;
        }

        private static bool IsRooted(string path)
        {
            // Not \\server\share: reading a word there would be a connection to somebody else's machine.
            return path[0] == '/' || (path.Length > 2 && char.IsLetter(path[0]) && path[1] == ':');
        }
    }
}
