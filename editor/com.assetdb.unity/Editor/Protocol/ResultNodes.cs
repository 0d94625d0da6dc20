using System;
using System.Collections.Generic;
using System.Globalization;

namespace AssetDb.Protocol
{
    /// <summary>Makes the entries that a window shows out of what the daemon answered.</summary>
    public static class ResultNodes
    {
        private const string MetaExtension = ".meta";

        /// <summary>Return a file for each that refers, with its objects, with their properties.</summary>
        public static List<ResultNode> OfUsages(UsagesAnswer answer)
        {
            var files = new List<ResultNode>();
            var byPath = new Dictionary<string, ResultNode>(StringComparer.Ordinal);
            foreach (FileUsage usage in answer.Files)
            {
                if (!byPath.ContainsKey(usage.Path))
                {
                    byPath.Add(usage.Path, AddFile(files, usage.Path, usage.Type));
                }
            }
            var objects = new Dictionary<string, ResultNode>(StringComparer.Ordinal);
            foreach (ObjectUsage usage in answer.Objects)
            {
                if (!byPath.TryGetValue(usage.Path, out ResultNode file))
                {
                    file = AddFile(files, usage.Path, "");
                    byPath.Add(usage.Path, file);
                }
                ResultNode owner = file;
                if (usage.ObjectId != 0)
                {
                    string key = usage.ObjectId.ToString(CultureInfo.InvariantCulture) + " " + usage.Path;
                    if (!objects.TryGetValue(key, out owner))
                    {
                        string label = usage.Hierarchy.Length > 0 ? usage.Hierarchy : usage.ClassName;
                        owner = file.Add(
                            new ResultNode(label, usage.ClassName, AssetPath(usage.Path), usage.ObjectId, usage.Line));
                        objects.Add(key, owner);
                    }
                }
                string property = usage.Override.Length > 0 ? $"{usage.Override} (override)" : usage.Property;
                owner.Add(new ResultNode(
                    property, LineText(usage.Line), AssetPath(usage.Path), usage.ObjectId, usage.Line));
            }
            return files;
        }

        /// <summary>Return the asset whose file or meta has a path.</summary>
        public static string AssetPath(string path)
        {
            return path.EndsWith(MetaExtension, StringComparison.Ordinal)
                ? path.Substring(0, path.Length - MetaExtension.Length)
                : path;
        }

        /// <summary>Return how a line is shown, <c>""</c> for none.</summary>
        public static string LineText(long line)
        {
            return line > 0 ? "line " + line.ToString(CultureInfo.InvariantCulture) : "";
        }

        private static ResultNode AddFile(List<ResultNode> files, string path, string type)
        {
            var file = new ResultNode(path, type, AssetPath(path));
            files.Add(file);
            return file;
        }
    }
}
