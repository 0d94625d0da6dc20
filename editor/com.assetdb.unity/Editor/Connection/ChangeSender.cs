using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using AssetDb.Protocol;

namespace AssetDb.Connection
{
    /// <summary>
    /// Tells the daemon what was written, on a thread of its own. Silent where there is no daemon: one that starts later
    /// reads everything anyway.
    /// </summary>
    /// <remarks>
    /// <see cref="Add"/> is called on the editor's main thread. It takes no lock, so that it never waits for a thread that
    /// holds one and does not run just now.
    /// </remarks>
    public sealed class ChangeSender : IDisposable
    {
        /// <summary>Milliseconds to wait whether more follows: an import tells of its files in several calls.</summary>
        public const int DefaultQuiet = 20;

        private const int MostQuiets = 10; // that a burst lasts: a build may write for minutes without a pause
        private const int Timeout = 5000;
        private const int PauseWithoutDaemon = 500;

        private readonly Func<int, DaemonConnection> connect;
        private readonly int quiet;
        private readonly int mostPaths;
        private readonly ConcurrentQueue<string[][]> told = new ConcurrentQueue<string[][]>();
        private readonly AutoResetEvent isTold = new AutoResetEvent(false);
        private readonly ManualResetEvent ended = new ManualResetEvent(false);
        private readonly ChangeBatch batch; // of the thread alone
        private readonly object gate = new object(); // of `connection`
        private readonly Thread thread;
        private DaemonConnection connection;
        private int pathsTold;
        private volatile bool isEnded;
        private long accepted;

        /// <summary>Take what connects (given a timeout in milliseconds), and how long to wait for more.</summary>
        public ChangeSender(
            Func<int, DaemonConnection> connect, int quiet = DefaultQuiet, int mostPaths = ChangeBatch.DefaultMostPaths)
        {
            this.connect = connect;
            this.quiet = quiet;
            this.mostPaths = mostPaths;
            batch = new ChangeBatch(mostPaths);
            thread = new Thread(Run) { IsBackground = true, Name = "assetdb changes" };
            thread.Start();
        }

        /// <summary>How many paths daemons have taken.</summary>
        public long Accepted => Interlocked.Read(ref accepted);

        /// <summary>Whether nothing waits to be sent, and what is told now would be.</summary>
        public bool IsIdle => Volatile.Read(ref pathsTold) == 0;

        /// <summary>Note paths, which are not changed from here on; waits for nothing.</summary>
        public void Add(params string[][] paths)
        {
            int count = 0;
            foreach (string[] part in paths)
            {
                count += part.Length;
            }
            if (count == 0 || isEnded || Volatile.Read(ref pathsTold) >= mostPaths)
            {
                return; // see ChangeBatch: what is left out the daemon sees by itself
            }
            Interlocked.Add(ref pathsTold, count);
            told.Enqueue(paths);
            isTold.Set();
        }

        /// <summary>End the thread; what waits is forgotten.</summary>
        public void Dispose()
        {
            isEnded = true;
            ended.Set();
            isTold.Set();
            DaemonConnection open;
            lock (gate)
            {
                open = connection;
            }
            open?.Dispose();
            thread.Join(200); // not long, as the editor waits: a domain that is reloaded aborts what is left
        }

        private void Run()
        {
            while (!isEnded)
            {
                isTold.WaitOne();
                int taken = TakeBurst();
                bool isThere = true;
                while (batch.Count > 0 && isThere && !isEnded)
                {
                    List<string> paths = batch.Take();
                    isThere = Send(paths) || Send(paths); // again: the daemon may have been started anew
                }
                batch.Clear();
                if (!isThere && !isEnded)
                {
                    Forget();
                }
                Interlocked.Add(ref pathsTold, -taken); // behind that: what is told until then is forgotten, too
            }
            Close();
        }

        /// <summary>Put what is told into the batch until nothing more comes; return how many paths that were.</summary>
        private int TakeBurst()
        {
            int taken = 0;
            var lasting = Stopwatch.StartNew();
            do
            {
                while (taken < mostPaths && told.TryDequeue(out string[][] paths))
                {
                    foreach (string[] part in paths)
                    {
                        taken += part.Length;
                        foreach (string path in part)
                        {
                            batch.Add(path);
                        }
                    }
                }
            }
            while (batch.Count < ChangeBatch.DefaultPathsAtOnce && !isEnded
                && lasting.ElapsedMilliseconds < MostQuiets * quiet && isTold.WaitOne(quiet));
            if (!told.IsEmpty)
            {
                isTold.Set(); // the next round is for these
            }
            return taken;
        }

        /// <summary>Wait a little and forget what was told meanwhile: no daemon was there to be told.</summary>
        private void Forget()
        {
            ended.WaitOne(PauseWithoutDaemon);
            while (told.TryDequeue(out string[][] paths))
            {
                foreach (string[] part in paths)
                {
                    Interlocked.Add(ref pathsTold, -part.Length);
                }
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
                    }
                    if (isEnded)
                    {
                        return false;
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
