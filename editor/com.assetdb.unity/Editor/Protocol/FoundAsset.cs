using System.Collections.Generic;
using System.Globalization;

namespace AssetDb.Protocol
{
    /// <summary>An asset, or an object in one, that a search lists.</summary>
    public sealed class FoundAsset
    {
        private FoundAsset(string name, string path, string type, string key)
        {
            Name = name;
            Path = path;
            Type = type;
            Key = key;
        }

        public string Name { get; }

        public string Path { get; }

        public string Type { get; }

        /// <summary>Distinguishes it from all others of one answer.</summary>
        public string Key { get; }

        /// <summary>Read the result of <c>find</c>.</summary>
        public static List<FoundAsset> OfFind(JsonValue result)
        {
            result.Expect(JsonKind.Object, "result");
            var found = new List<FoundAsset>();
            foreach (JsonValue item in result.List("found"))
            {
                item.Expect(JsonKind.Object, "found");
                string path = item.RequiredText("path");
                string id = item.Integer("file_id", 0).ToString(CultureInfo.InvariantCulture);
                found.Add(new FoundAsset(item.Text("name"), path, item.Text("type"), path + ":" + id));
            }
            return found;
        }

        /// <summary>Return the files of the result of <c>usages</c>, only those of some types if any are named.</summary>
        public static List<FoundAsset> OfUsages(UsagesAnswer answer, IReadOnlyList<string> types)
        {
            var found = new List<FoundAsset>();
            foreach (FileUsage file in answer.Files)
            {
                if (types.Count == 0 || IsAmong(types, file.Type))
                {
                    found.Add(new FoundAsset(System.IO.Path.GetFileName(file.Path), file.Path, file.Type, file.Path));
                }
            }
            return found;
        }

        private static bool IsAmong(IReadOnlyList<string> types, string type)
        {
            foreach (string one in types)
            {
                if (string.Equals(one, type, System.StringComparison.OrdinalIgnoreCase))
                {
                    return true;
                }
            }
            return false;
        }
    }
}
