using System;
using System.Collections.Generic;
using System.Threading;
using AssetDb.Protocol;

namespace AssetDb.Connection
{
    /// <summary>
    /// Tells the daemon what was written, on a thread of its own: <see cref="Add"/> only puts paths into a list. Silent
    /// where there is no daemon: one that starts later reads everything anyway.
    /// </summary>
    public sealed class ChangeSender : IDisposable
    {
        /// <summary>Milliseconds to wait whether more follows: an import tells of its files in several calls.</summary>
        public const int DefaultQuiet = 20;

        private const int Timeout = 5000;
        private const int PauseWithoutDaemon = 500;

        private readonly Func<int, DaemonConnection> connect;
        private readonly int quiet;
        private readonly ChangeBatch batch;
        private readonly object gate = new object();
        private readonly Thread thread;
        private DaemonConnection connection;
        private bool isSending;
        private bool isEnded;
        private long accepted;

        /// <summary>Take what connects (given a timeout in milliseconds), and how long to wait for more.</summary>
        public ChangeSender(Func<int, DaemonConnection> connect, int quiet = DefaultQuiet, int mostPaths = ChangeBatch.DefaultMostPaths)
        {
            this.connect = connect;
            this.quiet = quiet;
            batch = new ChangeBatch(mostPaths);
            thread = new Thread(Run) { IsBackground = true, Name = "assetdb changes" };
            thread.Start();
        }

        /// <summary>How many paths daemons have taken.</summary>
        public long Accepted => Interlocked.Read(ref accepted);

        /// <summary>Whether nothing waits to be sent.</summary>
        public bool IsIdle
        {
            get
            {
                lock (gate)
                {
                    return batch.Count == 0 && !isSending;
                }
            }
        }

        /// <summary>Note paths; never waits for the daemon or the disk.</summary>
        public void Add(params string[][] paths)
        {
            lock (gate)
            {
                foreach (string[] part in paths)
                {
                    foreach (string path in part)
                    {
                        batch.Add(path);
                    }
                }
                if (batch.Count > 0)
                {
                    Monitor.PulseAll(gate);
                }
            }
        }

        /// <summary>End the thread; what waits is forgotten.</summary>
        public void Dispose()
        {
            DaemonConnection open;
            lock (gate)
            {
                isEnded = true;
                open = connection;
                Monitor.PulseAll(gate);
            }
            open?.Dispose();
            thread.Join(1000); // a domain that is reloaded aborts what is left
        }

        private void Run()
        {
            while (Next(out List<string> paths))
            {
                bool isSent = Send(paths) || Send(paths); // again: the daemon may have been started anew
                lock (gate)
                {
                    isSending = false;
                    if (!isSent && !isEnded)
                    {
                        batch.Clear();
                        Monitor.Wait(gate, PauseWithoutDaemon);
                        batch.Clear(); // no daemon has been there meanwhile
                    }
                }
            }
            Close();
        }

        /// <summary>Wait for paths, and for the end of the burst that they are of; false when all is to end.</summary>
        private bool Next(out List<string> paths)
        {
            lock (gate)
            {
                while (batch.Count == 0 && !isEnded)
                {
                    Monitor.Wait(gate);
                }
                for (int before = -1; before != batch.Count && batch.Count < ChangeBatch.DefaultPathsAtOnce && !isEnded;)
                {
                    before = batch.Count;
                    Monitor.Wait(gate, quiet);
                }
                isSending = true;
                paths = batch.Take();
                return !isEnded;
            }
        }

        private bool Send(List<string> paths)
        {
            try
            {
                if (connection == null)
                {
                    DaemonConnection opened = connect(Timeout);
                    lock (gate)
                    {
                        connection = opened;
                        if (isEnded)
                        {
                            return false;
                        }
                    }
                }
                JsonValue result = connection.Call("changed", new JsonWriter().Texts("paths", paths));
                Interlocked.Add(ref accepted, result.RequiredInteger("accepted"));
                return true;
            }
            catch (AssetDbException)
            {
                // No daemon, or not one that can be told: it sees the change by itself, or reads all when it starts.
                Close();
                return false;
            }
        }

        private void Close()
        {
            DaemonConnection open;
            lock (gate)
            {
                open = connection;
                connection = null;
            }
            open?.Dispose();
        }
    }
}
