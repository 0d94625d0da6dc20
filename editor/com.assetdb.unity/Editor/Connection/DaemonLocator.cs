using System;
using System.IO;
using System.Text;
using AssetDb.Protocol;

namespace AssetDb.Connection
{
    /// <summary>Finds the daemon of a project by its status file, and connects to it.</summary>
    public sealed class DaemonLocator
    {
        private const string DefaultFolder = "Library/assetdb";
        private const string ConfigurationName = "assetdb.toml";
        private const string OutDirVariable = "ASSETDB_OUT_DIR";
        private const string LoopbackVariable = "ASSETDB_WATCH_LOOPBACK"; // set where Windows' way is tested elsewhere
        private const int MostConfiguration = 1 << 20;

        private readonly string root;
        private readonly bool mayBePort;

        /// <summary>Take the absolute path of the project.</summary>
        public DaemonLocator(string root)
        {
            this.root = root;
            mayBePort = Path.DirectorySeparatorChar == '\\'
                || !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(LoopbackVariable));
        }

        /// <summary>Connect to the project's daemon.</summary>
        /// <param name="timeout">Milliseconds that it may be silent.</param>
        /// <exception cref="AssetDbException">It has none, or one that cannot be spoken to.</exception>
        public DaemonConnection Connect(int timeout)
        {
            string path = Path.Combine(OutputFolder(), DaemonAddress.FileName);
            string text = ReadSmall(path, DaemonAddress.MostBytes);
            if (text == null)
            {
                throw new DaemonException("no daemon is running for this project");
            }
            DaemonConnection connection = DaemonConnection.Open(DaemonAddress.Read(text), timeout, mayBePort);
            if (!IsSameFolder(connection.Root, root))
            {
                connection.Dispose();
                throw new DaemonException($"the daemon is of another project, {connection.Root}");
            }
            return connection;
        }

        /// <summary>Return the folder that has the project's database, by the rules of the README.</summary>
        public string OutputFolder()
        {
            string given = Environment.GetEnvironmentVariable(OutDirVariable);
            if (!string.IsNullOrEmpty(given))
            {
                return Path.Combine(root, given);
            }
            string text = ReadSmall(Path.Combine(root, ConfigurationName), MostConfiguration);
            string configured = text == null ? "" : OutDirOf(text);
            return Path.Combine(root, configured.Length > 0 ? configured : DefaultFolder);
        }

        /// <summary>
        /// Return <c>out-dir</c> of an <c>assetdb.toml</c>, <c>""</c> where it has none. Only the plain way to write it is
        /// understood, and only a folder below the project.
        /// </summary>
        public static string OutDirOf(string text)
        {
            foreach (string raw in text.Split('\n'))
            {
                string line = raw.Trim();
                if (line.StartsWith("[", StringComparison.Ordinal))
                {
                    break; // a table begins: what follows is a key of that
                }
                int equals = line.IndexOf('=');
                if (equals < 0 || line.Substring(0, equals).Trim().Trim('"', '\'') != "out-dir")
                {
                    continue;
                }
                string value = line.Substring(equals + 1).Trim();
                int end = value.Length > 1 && (value[0] == '"' || value[0] == '\'') ? value.IndexOf(value[0], 1) : -1;
                string folder = end > 0 ? value.Substring(1, end - 1) : "";
                bool isPlain = folder.IndexOf('\\') < 0 && folder.IndexOf(':') < 0
                    && !folder.StartsWith("/", StringComparison.Ordinal)
                    && Array.IndexOf(folder.Split('/'), "..") < 0;
                return isPlain ? folder : "";
            }
            return "";
        }

        private static bool IsSameFolder(string one, string other)
        {
            return Path.DirectorySeparatorChar == '\\'
                ? string.Equals(Plain(one), Plain(other), StringComparison.OrdinalIgnoreCase)
                : RealPath.Of(one) == RealPath.Of(other);
        }

        private static string Plain(string folder) => folder.Replace('\\', '/').TrimEnd('/');

        /// <summary>Return the text of a regular file, or null where there is none, or a larger one.</summary>
        private static string ReadSmall(string path, int most)
        {
            try
            {
                var about = new FileInfo(path);
                // A pipe in its place has no length, and would be waited for.
                if (!about.Exists || about.Length == 0 || about.Length > most)
                {
                    return null;
                }
                using (var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete))
                {
                    var bytes = new byte[most];
                    int count = 0;
                    for (int read = -1; read != 0 && count < most; count += read)
                    {
                        read = file.Read(bytes, count, most - count);
                    }
                    return Encoding.UTF8.GetString(bytes, 0, count);
                }
            }
            catch (SystemException error) when (
                error is IOException || error is UnauthorizedAccessException || error is ArgumentException
                || error is NotSupportedException)
            {
                return null; // as if it were not there: whoever asks says that no daemon is running
            }
        }
    }
}
