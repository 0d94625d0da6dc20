using System;
using System.Collections.Generic;

namespace AssetDb.Protocol
{
    /// <summary>One entry of a result as the editor keeps it while it reloads the scripts, with its depth.</summary>
    /// <remarks>A list of these is kept and no tree: the editor keeps trees of its own classes to a depth of ten only.</remarks>
    [Serializable]
    public sealed class SavedNode
    {
        public string Label = "";
        public string Detail = "";
        public string Path = "";
        public long FileId;
        public long Line;
        public int Depth;

        /// <summary>Return the entries of a result in order, each before its children.</summary>
        public static List<SavedNode> Of(IReadOnlyList<ResultNode> roots)
        {
            var saved = new List<SavedNode>();
            var waiting = new Stack<KeyValuePair<ResultNode, int>>();
            Push(waiting, roots, 0);
            while (waiting.Count > 0)
            {
                KeyValuePair<ResultNode, int> next = waiting.Pop();
                ResultNode node = next.Key;
                saved.Add(new SavedNode
                {
                    Label = node.Label,
                    Detail = node.Detail,
                    Path = node.Path,
                    FileId = node.FileId,
                    Line = node.Line,
                    Depth = next.Value,
                });
                Push(waiting, node.Children, next.Value + 1);
            }
            return saved;
        }

        /// <summary>Return the result that entries were made of.</summary>
        public static List<ResultNode> Restored(IEnumerable<SavedNode> saved)
        {
            var roots = new List<ResultNode>();
            var open = new List<ResultNode>(); // from the root to the last entry
            foreach (SavedNode entry in saved)
            {
                var node = new ResultNode(entry.Label, entry.Detail, entry.Path, entry.FileId, entry.Line);
                int depth = Math.Max(0, Math.Min(entry.Depth, open.Count));
                open.RemoveRange(depth, open.Count - depth);
                if (depth == 0)
                {
                    roots.Add(node);
                }
                else
                {
                    open[depth - 1].Add(node);
                }
                open.Add(node);
            }
            return roots;
        }

        private static void Push(Stack<KeyValuePair<ResultNode, int>> waiting, IReadOnlyList<ResultNode> nodes, int depth)
        {
            for (int at = nodes.Count - 1; at >= 0; at--)
            {
                waiting.Push(new KeyValuePair<ResultNode, int>(nodes[at], depth));
            }
        }
    }
}
