using System;
using System.Collections.Generic;

namespace AssetDb.Protocol
{
    /// <summary>What a deletion would break: the files that use what is deleted, and are not deleted with it.</summary>
    public sealed class Deletion
    {
        private const int MostNamed = 5;

        private readonly IReadOnlyList<string> deleted;
        private readonly SortedSet<string> users = new SortedSet<string>(StringComparer.Ordinal);

        /// <param name="deleted">Paths of all files and folders of the same deletion.</param>
        public Deletion(IReadOnlyList<string> deleted)
        {
            this.deleted = deleted;
        }

        private long unreadFiles;

        public int Count => users.Count;

        public void Add(UsagesAnswer answer)
        {
            unreadFiles = Math.Max(unreadFiles, answer.UnreadFiles);
            foreach (FileUsage usage in answer.Files)
            {
                string path = ResultNodes.AssetPath(usage.Path);
                if (!IsDeleted(path))
                {
                    users.Add(path);
                }
            }
        }

        /// <summary>Return what is asked before a file or folder is deleted.</summary>
        public string Text(string path)
        {
            string files = Count == 1 ? "1 file uses it" : Count.ToString("N0") + " files use it";
            var named = new List<string>();
            foreach (string user in users)
            {
                if (named.Count == MostNamed)
                {
                    named.Add($"and {Count - MostNamed:N0} more");
                    break;
                }
                named.Add(user);
            }
            string unread = unreadFiles > 0 ? "\n\n" + UsagesAnswer.UnreadNote(unreadFiles) : "";
            return $"{path}\n\n{files}:\n{string.Join("\n", named.ToArray())}{unread}";
        }

        private bool IsDeleted(string path)
        {
            foreach (string gone in deleted)
            {
                if (path == gone || path.StartsWith(gone + "/", StringComparison.Ordinal))
                {
                    return true;
                }
            }
            return false;
        }
    }
}
