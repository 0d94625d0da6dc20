using System;
using System.Text;

namespace AssetDb.Protocol
{
    /// <summary>
    /// The framing of the daemon's socket: one message a line, in UTF-8. Bytes go in as they come, lines come out; the
    /// same for Unix sockets and for the loopback, and without a socket in tests.
    /// </summary>
    public sealed class LineFraming
    {
        /// <summary>How many bytes a line may have. The daemon's own limit is 64 MB; no window shows that much.</summary>
        public const int DefaultMostBytes = 32 << 20;

        private static readonly UTF8Encoding Utf8 = new UTF8Encoding(false, true);

        private readonly int mostBytes;
        private byte[] buffer = new byte[1 << 14];
        private int start; // of what was not taken yet
        private int end; // of what was received
        private int searched; // no newline stands before

        public LineFraming(int mostBytes = DefaultMostBytes)
        {
            this.mostBytes = mostBytes;
        }

        /// <summary>Return a message as it goes over the socket. A newline inside would make two of it.</summary>
        public static byte[] Frame(string message)
        {
            if (message.IndexOf('\n') >= 0)
            {
                throw new ArgumentException("a message is one line", nameof(message));
            }
            return Utf8.GetBytes(message + "\n");
        }

        /// <summary>Take what was received.</summary>
        /// <exception cref="ProtocolException">The line that is open has become too long.</exception>
        public void Append(byte[] data, int count)
        {
            if (end - start + (long)count > mostBytes && Array.IndexOf(data, (byte)'\n', 0, count) < 0)
            {
                throw new ProtocolException($"the daemon's answer has more than {mostBytes:N0} bytes");
            }
            if (end + count > buffer.Length)
            {
                MakeRoom(count);
            }
            Buffer.BlockCopy(data, 0, buffer, end, count);
            end += count;
        }

        /// <summary>Take the next whole line; false where there is none yet.</summary>
        /// <exception cref="ProtocolException">The line is no UTF-8, or too long.</exception>
        public bool TryTake(out string line)
        {
            int found = Array.IndexOf(buffer, (byte)'\n', searched, end - searched);
            if (found < 0)
            {
                searched = end;
                line = null;
                return false;
            }
            int length = found - start;
            if (length > mostBytes)
            {
                throw new ProtocolException($"the daemon's answer has more than {mostBytes:N0} bytes");
            }
            try
            {
                line = Utf8.GetString(buffer, start, length);
            }
            catch (ArgumentException error)
            {
                throw new ProtocolException("the daemon's answer is no UTF-8", error);
            }
            start = found + 1;
            searched = start;
            return true;
        }

        private void MakeRoom(int count)
        {
            int kept = end - start;
            byte[] roomier = buffer;
            if (kept + count > buffer.Length)
            {
                roomier = new byte[Math.Max(kept + count, Math.Min(2L * buffer.Length, (long)mostBytes + count))];
            }
            Buffer.BlockCopy(buffer, start, roomier, 0, kept);
            buffer = roomier;
            searched -= start;
            start = 0;
            end = kept;
        }
    }
}
