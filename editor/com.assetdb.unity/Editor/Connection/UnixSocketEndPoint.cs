using System;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace AssetDb.Connection
{
    /// <summary>The path of a Unix socket.</summary>
    /// <remarks>
    /// The framework's own UnixDomainSocketEndPoint is in .NET Standard 2.1 and not in the .NET Framework profile, either
    /// of which a Unity project may have chosen.
    /// </remarks>
    public sealed class UnixSocketEndPoint : EndPoint
    {
        /// <summary>How many bytes a path may have: 104 on macOS and 108 on Linux, with a zero at the end.</summary>
        public const int MostBytes = 103;

        private const int FamilySize = 2;

        private readonly string path;

        public UnixSocketEndPoint(string path)
        {
            if (Encoding.UTF8.GetByteCount(path) > MostBytes)
            {
                throw new DaemonException($"the path of the daemon's socket is longer than {MostBytes} bytes: {path}");
            }
            this.path = path;
        }

        public override AddressFamily AddressFamily => AddressFamily.Unix;

        public override SocketAddress Serialize()
        {
            byte[] bytes = Encoding.UTF8.GetBytes(path);
            var address = new SocketAddress(AddressFamily.Unix, FamilySize + bytes.Length + 1);
            for (int at = 0; at < bytes.Length; at++)
            {
                address[FamilySize + at] = bytes[at];
            }
            address[FamilySize + bytes.Length] = 0;
            return address;
        }

        public override EndPoint Create(SocketAddress socketAddress)
        {
            if (socketAddress.Family != AddressFamily.Unix)
            {
                throw new ArgumentException("no address of a Unix socket", nameof(socketAddress));
            }
            int length = 0;
            while (FamilySize + length < socketAddress.Size && socketAddress[FamilySize + length] != 0)
            {
                length++;
            }
            var bytes = new byte[length];
            for (int at = 0; at < length; at++)
            {
                bytes[at] = socketAddress[FamilySize + at];
            }
            return new UnixSocketEndPoint(Encoding.UTF8.GetString(bytes));
        }

        public override string ToString() => path;
    }
}
