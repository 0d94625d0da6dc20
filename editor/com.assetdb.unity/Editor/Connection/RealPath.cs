using System;
using System.Runtime.InteropServices;
using System.Text;

namespace AssetDb.Connection
{
    /// <summary>Paths without links in them, on systems other than Windows.</summary>
    internal static class RealPath
    {
        private const int MostBytes = 4096; // PATH_MAX of Linux; macOS has 1,024

        /// <summary>Return where a path leads; the path itself where that cannot be told.</summary>
        public static string Of(string path)
        {
            var resolved = new byte[MostBytes + 1];
            if (realpath(Encoding.UTF8.GetBytes(path + "\0"), resolved) == IntPtr.Zero)
            {
                return path;
            }
            return Encoding.UTF8.GetString(resolved, 0, Array.IndexOf(resolved, (byte)0));
        }

        [DllImport("libc")]
        private static extern IntPtr realpath(byte[] path, [Out] byte[] resolved);
    }
}
