using System;
using System.Collections.Generic;

namespace AssetDb.Protocol
{
    /// <summary>One entry of a result: a file, an object in it, or a property of that.</summary>
    public sealed class ResultNode
    {
        private readonly List<ResultNode> children = new List<ResultNode>();

        public ResultNode(string label, string detail = "", string path = "", long fileId = 0, long line = 0)
        {
            Label = label;
            Detail = detail;
            Path = path;
            FileId = fileId;
            Line = line;
        }

        public string Label { get; }

        /// <summary>What is said beside the label, in a fainter colour.</summary>
        public string Detail { get; }

        /// <summary>The asset that a double-click leads to, or <c>""</c>.</summary>
        public string Path { get; }

        /// <summary>The object in it, or 0.</summary>
        public long FileId { get; }

        /// <summary>The line in it, counted from 1, or 0.</summary>
        public long Line { get; }

        public IReadOnlyList<ResultNode> Children => children;

        public ResultNode Add(ResultNode child)
        {
            children.Add(child);
            return child;
        }
    }

    /// <summary>One line of a tree as it is shown.</summary>
    public struct ResultRow
    {
        internal ResultRow(ResultNode node, int depth, bool isExpanded)
        {
            Node = node;
            Depth = depth;
            IsExpanded = isExpanded;
        }

        public ResultNode Node { get; }

        public int Depth { get; }

        public bool IsExpanded { get; }

        public bool HasChildren => Node.Children.Count > 0;
    }

    /// <summary>
    /// A tree as a list of rows, with a filter and with branches that are closed. UI Toolkit's own TreeView is public from
    /// Unity 2022.1 on only, so 2021.3 shows these rows in a ListView.
    /// </summary>
    public sealed class ResultTree
    {
        private const int DeepestIndent = 20;

        private readonly List<ResultNode> nodes = new List<ResultNode>(); // each before its children
        private readonly List<int> depths = new List<int>();
        private readonly List<int> parents = new List<int>();
        private readonly HashSet<ResultNode> closed = new HashSet<ResultNode>();
        private readonly List<ResultRow> rows = new List<ResultRow>();
        private string filter = "";

        /// <summary>Return the rows as they are shown, one a line, for the clipboard.</summary>
        public string AsText()
        {
            var text = new System.Text.StringBuilder();
            foreach (ResultRow row in Rows)
            {
                text.Append(' ', 2 * Math.Min(row.Depth, DeepestIndent)).Append(row.Node.Label);
                if (row.Node.Detail.Length > 0)
                {
                    text.Append("  ").Append(row.Node.Detail);
                }
                text.Append('\n');
            }
            return text.ToString();
        }

        public ResultTree(IReadOnlyList<ResultNode> roots)
        {
            var waiting = new Stack<Waiting>();
            for (int at = roots.Count - 1; at >= 0; at--)
            {
                waiting.Push(new Waiting(roots[at], 0, -1));
            }
            while (waiting.Count > 0)
            {
                Waiting next = waiting.Pop();
                int own = nodes.Count;
                nodes.Add(next.Node);
                depths.Add(next.Depth);
                parents.Add(next.Parent);
                for (int at = next.Node.Children.Count - 1; at >= 0; at--)
                {
                    waiting.Push(new Waiting(next.Node.Children[at], next.Depth + 1, own));
                }
            }
            Rebuild();
        }

        /// <summary>What is shown now.</summary>
        public IReadOnlyList<ResultRow> Rows => rows;

        /// <summary>
        /// Words that all have to stand, in any case, in an entry or in those above it. While there is one all branches
        /// are open: what was found should be seen.
        /// </summary>
        public string Filter
        {
            get => filter;
            set
            {
                string wanted = value ?? "";
                if (wanted != filter)
                {
                    filter = wanted;
                    Rebuild();
                }
            }
        }

        /// <summary>Open or close a branch.</summary>
        public void SetExpanded(ResultNode node, bool isExpanded)
        {
            if (isExpanded ? closed.Remove(node) : closed.Add(node))
            {
                Rebuild();
            }
        }

        private void Rebuild()
        {
            string[] words = filter.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
            bool[] isShown = words.Length > 0 ? Matching(words) : null;
            rows.Clear();
            int hiddenBelow = int.MaxValue; // the depth below which a closed branch hides what follows
            for (int at = 0; at < nodes.Count; at++)
            {
                if (depths[at] > hiddenBelow)
                {
                    continue;
                }
                hiddenBelow = int.MaxValue;
                if (isShown != null && !isShown[at])
                {
                    continue;
                }
                bool isExpanded = isShown != null || !closed.Contains(nodes[at]);
                rows.Add(new ResultRow(nodes[at], depths[at], isExpanded));
                if (!isExpanded)
                {
                    hiddenBelow = depths[at];
                }
            }
        }

        private bool[] Matching(string[] words)
        {
            var found = new bool[nodes.Count][]; // which words stand in an entry or above it
            var isShown = new bool[nodes.Count];
            for (int at = 0; at < nodes.Count; at++)
            {
                bool[] above = parents[at] >= 0 ? found[parents[at]] : null;
                var own = new bool[words.Length];
                bool isWhole = true;
                for (int word = 0; word < words.Length; word++)
                {
                    own[word] = (above != null && above[word]) || Has(nodes[at], words[word]);
                    isWhole &= own[word];
                }
                found[at] = own;
                isShown[at] = isWhole;
            }
            for (int at = nodes.Count - 1; at >= 0; at--)
            {
                if (isShown[at] && parents[at] >= 0)
                {
                    isShown[parents[at]] = true;
                }
            }
            return isShown;
        }

        private static bool Has(ResultNode node, string word)
        {
            return node.Label.IndexOf(word, StringComparison.OrdinalIgnoreCase) >= 0
                || node.Detail.IndexOf(word, StringComparison.OrdinalIgnoreCase) >= 0;
        }

        private struct Waiting
        {
            public Waiting(ResultNode node, int depth, int parent)
            {
                Node = node;
                Depth = depth;
                Parent = parent;
            }

            public ResultNode Node { get; }

            public int Depth { get; }

            public int Parent { get; }
        }
    }
}
