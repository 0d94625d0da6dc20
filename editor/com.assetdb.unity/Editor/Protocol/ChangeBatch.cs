using System;
using System.Collections.Generic;

namespace AssetDb.Protocol
{
    /// <summary>Paths that were written and are to be told to the daemon, each once.</summary>
    /// <remarks>
    /// The daemon sees every change by itself; <c>changed</c> only saves it the wait. So where more paths come than
    /// are kept, those are left out without harm.
    /// </remarks>
    public sealed class ChangeBatch
    {
        /// <summary>How many paths are kept.</summary>
        public const int DefaultMostPaths = 50000;

        /// <summary>How many paths one request has: half a millisecond of the daemon's time.</summary>
        public const int DefaultPathsAtOnce = 1000;

        private readonly int mostPaths;
        private readonly HashSet<string> known = new HashSet<string>(StringComparer.Ordinal);
        private readonly List<string> waiting = new List<string>();

        public ChangeBatch(int mostPaths = DefaultMostPaths)
        {
            this.mostPaths = mostPaths;
        }

        public int Count => waiting.Count;

        /// <summary>How many paths were left out.</summary>
        public long LeftOut { get; private set; }

        /// <summary>Add a path as Unity says it, from the project on with <c>/</c>.</summary>
        public void Add(string path)
        {
            if (!IsOfProject(path) || known.Contains(path))
            {
                return;
            }
            if (waiting.Count >= mostPaths)
            {
                LeftOut++;
                return;
            }
            known.Add(path);
            waiting.Add(path);
        }

        /// <summary>Take the paths that have waited longest.</summary>
        public List<string> Take(int most = DefaultPathsAtOnce)
        {
            List<string> taken = waiting.GetRange(0, Math.Min(most, waiting.Count));
            waiting.RemoveRange(0, taken.Count);
            known.ExceptWith(taken);
            return taken;
        }

        public void Clear()
        {
            waiting.Clear();
            known.Clear();
        }

        private static bool IsOfProject(string path)
        {
            return path != null
                && (path.StartsWith("Assets/", StringComparison.Ordinal)
                    || path.StartsWith("Packages/", StringComparison.Ordinal));
        }
    }
}
