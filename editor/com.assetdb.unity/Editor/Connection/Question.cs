using System;
using System.Threading;
using AssetDb.Protocol;

namespace AssetDb.Connection
{
    /// <summary>Something that is asked of the daemon off the main thread, and can be cancelled.</summary>
    public sealed class Question : IDisposable
    {
        /// <summary>Milliseconds that the daemon may be silent; while it works it says so every 0.4 s.</summary>
        public const int Timeout = 30000;

        private readonly Func<int, DaemonConnection> connect;
        private readonly object gate = new object();
        private DaemonConnection connection;
        private bool isCancelled;

        private Question(Func<int, DaemonConnection> connect)
        {
            this.connect = connect;
        }

        /// <summary>Whether nobody wants the answer any more.</summary>
        public bool IsCancelled
        {
            get
            {
                lock (gate)
                {
                    return isCancelled;
                }
            }
        }

        /// <summary>Ask on a thread of its own.</summary>
        /// <param name="connect">What connects, given a timeout in milliseconds.</param>
        /// <param name="ask">What to ask; it may ask several things, one after the other.</param>
        /// <param name="post">What runs an action on the main thread.</param>
        /// <param name="done">Gets the answer, on the main thread, unless it was cancelled.</param>
        /// <param name="failed">Gets what went wrong instead, on the main thread.</param>
        public static Question Ask<T>(
            Func<int, DaemonConnection> connect,
            Func<Question, T> ask,
            Action<Action> post,
            Action<T> done,
            Action<AssetDbException> failed)
        {
            var question = new Question(connect);
            var thread = new Thread(() => question.Run(ask, post, done, failed)) { IsBackground = true, Name = "assetdb question" };
            thread.Start();
            return question;
        }

        /// <summary>Ask and wait for the answer, but no longer than some milliseconds; whatever goes wrong is no answer.</summary>
        public static bool Within<T>(
            Func<int, DaemonConnection> connect, int milliseconds, Func<Question, T> ask, out T answer)
        {
            var gate = new object();
            bool isEnded = false;
            bool isAnswered = false;
            T found = default(T);
            Action<bool, T> end = (isFound, got) =>
            {
                lock (gate)
                {
                    isAnswered = isFound;
                    found = got;
                    isEnded = true;
                    Monitor.Pulse(gate);
                }
            };
            using (Ask(connect, ask, action => action(), got => end(true, got), error => end(false, default(T))))
            {
                lock (gate)
                {
                    if (!isEnded)
                    {
                        Monitor.Wait(gate, milliseconds);
                    }
                    answer = found;
                    return isAnswered;
                }
            }
        }

        /// <summary>Ask one method; only from within the <c>ask</c> of <see cref="Ask{T}"/>.</summary>
        public JsonValue Call(string method, JsonWriter parameters) => Connection().Call(method, parameters);

        /// <summary>Of the assetdb whose daemon answers; only from within the <c>ask</c> of <see cref="Ask{T}"/>.</summary>
        public string DaemonVersion() => Connection().Version;

        /// <summary>Cancel it: closing the connection also ends what the daemon does for it.</summary>
        public void Dispose()
        {
            DaemonConnection open;
            lock (gate)
            {
                isCancelled = true;
                open = connection;
                connection = null;
            }
            open?.Dispose();
        }

        private DaemonConnection Connection()
        {
            if (connection == null)
            {
                DaemonConnection opened = connect(Timeout);
                lock (gate)
                {
                    if (!isCancelled)
                    {
                        connection = opened;
                        return opened;
                    }
                }
                opened.Dispose();
                throw new DaemonException("cancelled");
            }
            return connection;
        }

        private void Run<T>(Func<Question, T> ask, Action<Action> post, Action<T> done, Action<AssetDbException> failed)
        {
            try
            {
                T answer = ask(this);
                post(() =>
                {
                    if (!IsCancelled)
                    {
                        done(answer);
                    }
                });
            }
            catch (AssetDbException error)
            {
                post(() =>
                {
                    if (!IsCancelled)
                    {
                        failed(error);
                    }
                });
            }
            finally
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
}
