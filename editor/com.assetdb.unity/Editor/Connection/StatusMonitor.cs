using System;
using System.Threading;
using AssetDb.Protocol;

namespace AssetDb.Connection
{
    /// <summary>How the daemon does, at one time; immutable.</summary>
    public sealed class DaemonState
    {
        public static readonly DaemonState Unknown = new DaemonState(null, "");

        public DaemonState(StatusAnswer status, string message)
        {
            Status = status;
            Message = message;
        }

        /// <summary>What the daemon says of itself; null where none answers.</summary>
        public StatusAnswer Status { get; }

        /// <summary>Why none answers.</summary>
        public string Message { get; }

        public bool IsRunning => Status != null;

        /// <summary>Return the few words that a toolbar has room for.</summary>
        public string Short()
        {
            if (!IsRunning)
            {
                return "assetdb: off";
            }
            if (Status.IsPending)
            {
                return "assetdb: updating";
            }
            return Status.Problems > 0 ? $"assetdb: {Status.Problems:N0} problems" : "assetdb: ready";
        }

        /// <summary>Return all there is to say, a line each.</summary>
        public string Long()
        {
            if (!IsRunning)
            {
                return Message.Length > 0 ? "assetdb: " + Message : "assetdb: looking for the daemon";
            }
            string text = $"assetdb {Status.Version}, process {Status.Process}\n{Status.Assets:N0} assets, {Status.Problems:N0} problems";
            return Status.Problem.Length > 0 ? text + "\n" + Status.Problem : text;
        }
    }

    /// <summary>Looks every few seconds how the daemon does, on a thread of its own.</summary>
    public sealed class StatusMonitor : IDisposable
    {
        /// <summary>Milliseconds between two looks.</summary>
        public const int DefaultInterval = 3000;

        private const int Timeout = 5000;

        private readonly Func<int, DaemonConnection> connect;
        private readonly int interval;
        private readonly object gate = new object();
        private readonly Thread thread;
        private DaemonConnection connection;
        private bool isEnded;
        private bool isAsked;
        private DaemonState state = DaemonState.Unknown;

        /// <summary>Take what connects (given a timeout in milliseconds), and how often to look.</summary>
        public StatusMonitor(Func<int, DaemonConnection> connect, int interval = DefaultInterval)
        {
            this.connect = connect;
            this.interval = interval;
            thread = new Thread(Run) { IsBackground = true, Name = "assetdb status" };
            thread.Start();
        }

        /// <summary>What was seen last; from any thread.</summary>
        public DaemonState State => Volatile.Read(ref state);

        /// <summary>Look again at once.</summary>
        public void Refresh()
        {
            lock (gate)
            {
                isAsked = true;
                Monitor.PulseAll(gate);
            }
        }

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
            thread.Join(200); // not long, as the editor waits: a domain that is reloaded aborts what is left
        }

        private void Run()
        {
            while (true)
            {
                Volatile.Write(ref state, Look());
                lock (gate)
                {
                    if (!isAsked && !isEnded)
                    {
                        Monitor.Wait(gate, interval);
                    }
                    isAsked = false;
                    if (isEnded)
                    {
                        break;
                    }
                }
            }
            Close();
        }

        private DaemonState Look()
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
                            return DaemonState.Unknown;
                        }
                    }
                }
                return new DaemonState(StatusAnswer.Read(connection.Call("status", new JsonWriter())), "");
            }
            catch (AssetDbException error)
            {
                Close();
                return new DaemonState(null, error.Message);
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
