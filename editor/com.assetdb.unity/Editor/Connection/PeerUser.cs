using System;
using System.IO;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace AssetDb.Connection
{
    /// <summary>Whose process the other end of a Unix socket is; the system says it.</summary>
    internal static class PeerUser
    {
        private const int SolSocket = 1; // of Linux
        private const int SoPeerCred = 17; // of Linux

        /// <summary>Whether the other end is this user's.</summary>
        /// <exception cref="DaemonException">The system does not say.</exception>
        public static bool IsOwn(Socket peer)
        {
            int descriptor = peer.Handle.ToInt32();
            uint user;
            if (File.Exists("/proc/self/stat")) // Linux; Environment.OSVersion calls macOS Unix as well
            {
                var credentials = new uint[3]; // process, user, group
                int size = 12;
                if (getsockopt(descriptor, SolSocket, SoPeerCred, credentials, ref size) != 0 || size != 12)
                {
                    throw new DaemonException("the system does not say whose the daemon's socket is");
                }
                user = credentials[1];
            }
            else if (getpeereid(descriptor, out user, out uint _) != 0)
            {
                throw new DaemonException("the system does not say whose the daemon's socket is");
            }
            return user == geteuid();
        }

        [DllImport("libc", SetLastError = true)]
        private static extern int getsockopt(int descriptor, int level, int option, [Out] uint[] value, ref int size);

        [DllImport("libc", SetLastError = true)]
        private static extern int getpeereid(int descriptor, out uint user, out uint group);

        [DllImport("libc")]
        private static extern uint geteuid();
    }
}
