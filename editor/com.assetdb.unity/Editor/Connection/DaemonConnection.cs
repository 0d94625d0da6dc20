using System;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Text;
using AssetDb.Protocol;

namespace AssetDb.Connection
{
    /// <summary>One connection to a daemon. Not for several threads at once, but <see cref="Dispose"/> from any.</summary>
    public sealed class DaemonConnection : IDisposable
    {
        private const int MostToken = 256;
        private const int ReceivedAtOnce = 1 << 16;

        private readonly Socket peer;
        private readonly LineFraming framing;
        private readonly byte[] received = new byte[ReceivedAtOnce];
        private readonly int timeout;
        private long number;

        private DaemonConnection(Socket peer, int timeout, int mostBytes)
        {
            this.peer = peer;
            this.timeout = timeout;
            framing = new LineFraming(mostBytes);
        }

        /// <summary>Absolute path of the project that the daemon serves.</summary>
        public string Root { get; private set; }

        /// <summary>Of the daemon's assetdb.</summary>
        public string Version { get; private set; }

        /// <summary>
        /// Connect to the daemon that a status file tells of, and say hello. On Windows that is a port of the loopback:
        /// the first of two words in a file that only this user can read is said, and the second has to come back.
        /// </summary>
        /// <param name="address">Content of the status file.</param>
        /// <param name="timeout">Milliseconds that the daemon may be silent.</param>
        /// <param name="mayBePort">Whether a port is followed; where there are Unix sockets a status file that names one
        /// is not of this machine.</param>
        /// <param name="mostBytes">How many bytes an answer may have.</param>
        /// <exception cref="AssetDbException">There is none, or it is not what it should be.</exception>
        public static DaemonConnection Open(
            DaemonAddress address, int timeout, bool mayBePort, int mostBytes = LineFraming.DefaultMostBytes)
        {
            string said = "";
            string expected = "";
            Socket peer;
            EndPoint endPoint;
            if (address.Socket.Length > 0 && !mayBePort)
            {
                if (!DaemonAddress.IsPlausible(address.Socket, ".sock"))
                {
                    throw new DaemonException($"{address.Socket} of the status file is no socket of assetdb's");
                }
                endPoint = new UnixSocketEndPoint(address.Socket);
                peer = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            }
            else if (address.Socket.Length == 0 && mayBePort)
            {
                ReadWords(address.Token, out said, out expected);
                endPoint = new IPEndPoint(IPAddress.Loopback, address.Port);
                peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            }
            else
            {
                throw new DaemonException("the status file is of another system's daemon: it is not of this machine");
            }
            try
            {
                peer.SendTimeout = timeout;
                peer.Connect(endPoint); // a local listener answers or refuses at once
                if (!mayBePort && !PeerUser.IsOwn(peer))
                {
                    throw new DaemonException($"{address.Socket} is held by another user");
                }
                var connection = new DaemonConnection(peer, timeout, mostBytes);
                connection.Greet(said, expected);
                return connection;
            }
            catch (SocketException error)
            {
                peer.Close();
                throw new DaemonException("no daemon is running for this project", error);
            }
            catch
            {
                peer.Close();
                throw;
            }
        }

        /// <summary>Ask one method and return its result.</summary>
        /// <exception cref="RequestException">The answer is an error; the connection goes on.</exception>
        /// <exception cref="ProtocolException">What came is no answer; the connection is of no more use.</exception>
        /// <exception cref="DaemonException">None came; the connection is of no more use.</exception>
        public JsonValue Call(string method, JsonWriter parameters)
        {
            long own = ++number;
            try
            {
                byte[] request = RpcMessage.Request(own, method, parameters);
                for (int sent = 0; sent < request.Length;)
                {
                    sent += peer.Send(request, sent, request.Length - sent, SocketFlags.None);
                }
                var silence = Stopwatch.StartNew();
                while (true)
                {
                    RpcMessage message = RpcMessage.Read(ReadLine(silence));
                    if (message.Error != null && (message.Id == own || message.Id == null))
                    {
                        throw message.Error;
                    }
                    if (message.Method.Length == 0)
                    {
                        if (message.Id != own)
                        {
                            throw new ProtocolException($"the daemon answered request {message.Id}, and {own} was asked");
                        }
                        return message.Result;
                    }
                    if (message.Method == "closed")
                    {
                        throw new DaemonException("the daemon closed the connection");
                    }
                    if (message.Method == "working") // it says every 0.4 s that it goes on
                    {
                        silence = Stopwatch.StartNew();
                    }
                }
            }
            catch (SocketException error)
            {
                throw error.SocketErrorCode == SocketError.TimedOut || error.SocketErrorCode == SocketError.WouldBlock
                    ? new DaemonException($"the daemon did not answer {method} within {timeout / 1000.0:0.#} s", error)
                    : new DaemonException("the daemon has gone", error);
            }
            catch (ObjectDisposedException error)
            {
                throw new DaemonException("the connection was closed", error);
            }
        }

        /// <summary>End the connection; the daemon then ends what it does for it.</summary>
        public void Dispose()
        {
            try
            {
                peer.Shutdown(SocketShutdown.Both); // wakes a thread that waits for an answer; Close alone does not
            }
            catch (SocketException)
            {
                // The daemon has gone before: there is nothing to end.
            }
            catch (ObjectDisposedException)
            {
                // It was ended before.
            }
            peer.Close();
        }

        private static void ReadWords(string path, out string first, out string second)
        {
            if (!DaemonAddress.IsPlausible(path, ".token"))
            {
                throw new DaemonException($"{path} of the status file is no file of assetdb's");
            }
            try
            {
                var bytes = new byte[MostToken];
                int count;
                using (var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete))
                {
                    count = file.Read(bytes, 0, bytes.Length);
                }
                string[] words = Encoding.ASCII.GetString(bytes, 0, count).Trim().Split(' ');
                if (words.Length != 2 || words[0].Length == 0 || words[1].Length == 0)
                {
                    throw new DaemonException($"{path} does not hold two words");
                }
                first = words[0];
                second = words[1];
            }
            catch (SystemException error) when (error is IOException || error is UnauthorizedAccessException)
            {
                throw new DaemonException("no daemon is running for this project", error);
            }
        }

        private void Greet(string said, string expected)
        {
            JsonWriter parameters = new JsonWriter().Integer("protocol", DaemonAddress.ProtocolVersion);
            JsonValue hello = Call("hello", said.Length > 0 ? parameters.Text("token", said) : parameters);
            hello.Expect(JsonKind.Object, "result");
            if (expected.Length > 0 && !IsSame(hello.Text("token"), expected))
            {
                throw new DaemonException("another program answers where the daemon was");
            }
            Root = hello.RequiredText("root");
            Version = hello.RequiredText("version");
        }

        /// <summary>Compare without telling by the time how much was right.</summary>
        private static bool IsSame(string one, string other)
        {
            int difference = one.Length ^ other.Length;
            for (int at = 0; at < one.Length && at < other.Length; at++)
            {
                difference |= one[at] ^ other[at];
            }
            return difference == 0;
        }

        private string ReadLine(Stopwatch silence)
        {
            string line;
            while (!framing.TryTake(out line))
            {
                long left = timeout - silence.ElapsedMilliseconds;
                if (left <= 0)
                {
                    throw new SocketException((int)SocketError.TimedOut);
                }
                peer.ReceiveTimeout = (int)left;
                int count = peer.Receive(received, 0, received.Length, SocketFlags.None);
                if (count == 0)
                {
                    throw new DaemonException("the daemon ended the connection");
                }
                framing.Append(received, count);
            }
            return line;
        }
    }
}
