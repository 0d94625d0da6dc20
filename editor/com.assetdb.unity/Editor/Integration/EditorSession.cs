using System;
using System.Collections.Concurrent;
using System.IO;
using System.Threading;
using AssetDb.Connection;
using AssetDb.Protocol;
using UnityEditor;
using UnityEngine;

namespace AssetDb.EditorIntegration
{
    /// <summary>
    /// What lives as long as the editor's domain: the sender of changes, the look at the daemon, and the way back to the
    /// main thread. Everything that can wait runs on threads of its own.
    /// </summary>
    [InitializeOnLoad]
    internal static class EditorSession
    {
        private const string StartedKey = "assetdb.daemon-was-started";
        private const int StartTimeout = 60000; // the first start in a project of 60,000 assets reads them all
        private const int MostActions = 100; // that one tick of the editor runs

        private static readonly ConcurrentQueue<Action> Waiting = new ConcurrentQueue<Action>();
        private static DaemonLocator locator;
        private static ChangeSender changes;
        private static StatusMonitor monitor;
        private static DaemonState shown = DaemonState.Unknown;

        static EditorSession()
        {
            if (!AssetDatabase.IsAssetImportWorkerProcess()) // the editor's import workers load this domain, too
            {
                Start();
            }
        }

        /// <summary>Raised on the main thread when the daemon's state is another.</summary>
        public static event Action StateChanged;

        /// <summary>Absolute path of the project.</summary>
        public static string Root { get; private set; }

        /// <summary>How the daemon did when it was looked at last.</summary>
        public static DaemonState State => shown;

        /// <summary>What the user asked for last and went wrong, or <c>""</c>.</summary>
        public static string Problem { get; private set; } = "";

        /// <summary>Whether the daemon is being started or stopped.</summary>
        public static bool IsCommandRunning { get; private set; }

        /// <summary>How often files were written: what was asked before the last time may be out of date.</summary>
        public static int Changes { get; private set; }

        /// <summary>Tell the daemon of files that were written: only notes them down.</summary>
        public static void Changed(params string[][] paths)
        {
            Changes++;
            changes?.Add(paths);
        }

        /// <summary>Ask the daemon something, off the main thread; the answer comes on it.</summary>
        public static Question Ask<T>(Func<Question, T> ask, Action<T> done, Action<AssetDbException> failed)
        {
            return Question.Ask(locator.Connect, ask, Waiting.Enqueue, done, failed);
        }

        /// <summary>Ask the daemon something; the answer comes on the thread that asked for it.</summary>
        public static Question AskAnywhere<T>(Func<Question, T> ask, Action<T> done, Action<AssetDbException> failed)
        {
            return Question.Ask(locator.Connect, ask, action => action(), done, failed);
        }

        /// <summary>Ask the daemon something and wait for the answer, but no longer than some milliseconds.</summary>
        public static bool Within<T>(int milliseconds, Func<Question, T> ask, out T answer)
        {
            return Question.Within(locator.Connect, milliseconds, ask, out answer);
        }

        /// <summary>Find this user's assetdb. Reads the preferences: on the main thread.</summary>
        public static Func<Executable> FindExecutable()
        {
            string configured = UserPreferences.Executable;
            string searched = Environment.GetEnvironmentVariable("PATH") ?? "";
            string home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
            return () => Executable.Find(configured, searched, home);
        }

        /// <summary>Start the project's daemon; what goes wrong is said on the settings page.</summary>
        public static void StartDaemon()
        {
            // It ends half an hour after the editor, which asks it every few seconds, has gone.
            RunCommand("watch", "--detach", "--idle-timeout", "1800");
        }

        public static void StopDaemon()
        {
            RunCommand("stop");
        }

        private static void Start()
        {
            Root = Path.GetDirectoryName(Application.dataPath);
            locator = new DaemonLocator(Root);
            changes = new ChangeSender(locator.Connect);
            monitor = new StatusMonitor(locator.Connect);
            EditorApplication.update += Tick;
            EditorApplication.quitting += End;
            AssemblyReloadEvents.beforeAssemblyReload += End;
            if (UserPreferences.StartsDaemon && !Application.isBatchMode && !SessionState.GetBool(StartedKey, false))
            {
                SessionState.SetBool(StartedKey, true); // once a session: who stops it means it
                StartDaemon();
            }
        }

        private static void End()
        {
            EditorApplication.update -= Tick;
            EditorApplication.quitting -= End;
            AssemblyReloadEvents.beforeAssemblyReload -= End;
            changes?.Dispose();
            monitor?.Dispose();
            changes = null;
            monitor = null;
        }

        private static void Tick()
        {
            for (int left = MostActions; left > 0 && Waiting.TryDequeue(out Action action); left--)
            {
                try
                {
                    action();
                }
                catch (Exception error)
                {
                    Debug.LogException(error); // one answer that cannot be shown must not stop those behind it
                }
            }
            DaemonState now = monitor == null ? DaemonState.Unknown : monitor.State;
            if (!ReferenceEquals(now, shown))
            {
                bool isSame = now.Short() == shown.Short() && now.Long() == shown.Long();
                shown = now;
                if (!isSame)
                {
                    StateChanged?.Invoke();
                }
            }
        }

        private static void RunCommand(params string[] words)
        {
            Func<Executable> find = FindExecutable();
            string root = Root;
            Problem = "";
            IsCommandRunning = true;
            StateChanged?.Invoke();
            var thread = new Thread(() =>
            {
                string problem;
                try
                {
                    CommandResult result = find().Run(root, StartTimeout, words);
                    problem = result.Code == 0 ? "" : result.Errors.Trim();
                }
                catch (AssetDbException error)
                {
                    problem = error.Message;
                }
                Waiting.Enqueue(() =>
                {
                    Problem = problem;
                    IsCommandRunning = false;
                    monitor?.Refresh();
                    StateChanged?.Invoke();
                });
            });
            thread.IsBackground = true;
            thread.Name = "assetdb command";
            thread.Start();
        }
    }
}
