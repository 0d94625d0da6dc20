using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using AssetDb.Connection;
using AssetDb.Protocol;

namespace AssetDb.Tests
{
    /// <summary>Something that listens where a daemon would, and answers each line as a test wants.</summary>
    public sealed class FakeDaemon : IDisposable
    {
        public const string Hello = "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"protocol\":1,\"version\":\"0.1.0\",\"root\":\"ROOT\",\"token\":\"TOKEN\"}}\n";

        private readonly Socket listening;
        private readonly Func<string, string> answer;
        private readonly List<Socket> peers = new List<Socket>();
        private readonly List<string> lines = new List<string>();
        private readonly string secondWord;

        /// <summary>Take what is answered to a line, as it is (ID stands for the id); null ends the connection.</summary>
        public FakeDaemon(Func<string, string> answer, bool isPort = false, string token = "said heard")
        {
            this.answer = answer;
            IsPort = isPort;
            Folder = Path.Combine(Path.GetTempPath(), "adb-" + Guid.NewGuid().ToString("N").Substring(0, 8));
            string place = Directory.CreateDirectory(Path.Combine(Folder, "assetdb")).FullName;
            string socket = "";
            string tokenPath = "";
            secondWord = token.Split(' ')[token.Split(' ').Length - 1];
            if (isPort)
            {
                listening = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                listening.Bind(new IPEndPoint(IPAddress.Loopback, 0));
                tokenPath = Path.Combine(place, "0123456789abcdef.token");
                File.WriteAllText(tokenPath, token);
            }
            else
            {
                socket = Path.Combine(place, "0123456789abcdef.sock");
                listening = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                listening.Bind(new UnixSocketEndPoint(socket));
            }
            listening.Listen(10);
            int port = isPort ? ((IPEndPoint)listening.LocalEndPoint).Port : 0;
            Status = new JsonWriter().Integer("pid", 1).Integer("port", port).Integer("protocol", 1).Text("root", Folder)
                .Text("socket", socket).Text("token", tokenPath).Text("version", "0.1.0").ToString();
            Address = DaemonAddress.Read(Status);
            new Thread(Accept) { IsBackground = true }.Start();
        }

        public bool IsPort { get; }

        public string Folder { get; }

        public string Status { get; }

        public DaemonAddress Address { get; }

        public string[] Lines
        {
            get
            {
                lock (lines)
                {
                    return lines.ToArray();
                }
            }
        }

        public DaemonConnection Open(int timeout = 5000, int mostBytes = LineFraming.DefaultMostBytes)
        {
            return DaemonConnection.Open(Address, timeout, IsPort, mostBytes);
        }

        public DaemonConnection Connect(int timeout) => Open(timeout);

        /// <summary>End all connections, and take new ones.</summary>
        public void Drop()
        {
            lock (peers)
            {
                foreach (Socket peer in peers)
                {
                    peer.Close();
                }
                peers.Clear();
            }
        }

        public void Dispose()
        {
            listening.Close();
            Drop();
            Directory.Delete(Folder, true);
        }

        private void Accept()
        {
            try
            {
                while (true)
                {
                    Socket peer = listening.Accept();
                    lock (peers)
                    {
                        peers.Add(peer);
                    }
                    new Thread(() => Serve(peer)) { IsBackground = true }.Start();
                }
            }
            catch (SocketException)
            {
                // The test is over.
            }
            catch (ObjectDisposedException)
            {
                // The test is over.
            }
        }

        private void Serve(Socket peer)
        {
            try
            {
                using (var reader = new StreamReader(new NetworkStream(peer), new UTF8Encoding(false)))
                {
                    for (string line = reader.ReadLine(); line != null; line = reader.ReadLine())
                    {
                        lock (lines)
                        {
                            lines.Add(line);
                        }
                        bool isHello = line.IndexOf("\"hello\"", StringComparison.Ordinal) >= 0;
                        string said = answer(line) ?? "";
                        if (said.Length == 0 && isHello)
                        {
                            said = Hello;
                        }
                        if (said.Length == 0)
                        {
                            peer.Close();
                            return;
                        }
                        string id = JsonReader.Read(line).RequiredInteger("id").ToString();
                        said = said.Replace("ID", id).Replace("ROOT", Folder).Replace("TOKEN", IsPort ? secondWord : "");
                        byte[] bytes = Encoding.GetEncoding("iso-8859-1").GetBytes(said);
                        peer.Send(bytes);
                    }
                }
            }
            catch (Exception error) when (error is IOException || error is SocketException || error is ObjectDisposedException)
            {
                // Whoever asked has closed the connection, which some tests do.
            }
        }
    }
}
