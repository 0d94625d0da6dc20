using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace AssetDb.Protocol
{
    /// <summary>Why something is in a build: the daemon's <c>trace</c>.</summary>
    public static class TraceQuestion
    {
        public const string Method = "trace";

        /// <summary>What to say where no build is named.</summary>
        public const string NoBuilds =
            "Name the folders of your builds first: Project Settings > assetdb > Builds (a player's _Data folder, a folder of bundles).";

        private const string NothingLoadsIt = "none";

        /// <summary>Return the parameters: what is asked for, and the builds to look in, absolute.</summary>
        public static JsonWriter Parameters(string query, IReadOnlyList<string> builds)
        {
            return new JsonWriter().Texts("queries", new[] { query }).Texts("builds", builds);
        }

        /// <summary>Return the folders of a setting, separated by semicolons; they may be relative to the project.</summary>
        public static IReadOnlyList<string> Folders(string setting, string root)
        {
            var folders = new List<string>();
            foreach (string folder in setting.Split(new[] { ';' }, StringSplitOptions.RemoveEmptyEntries))
            {
                if (folder.Trim().Length > 0)
                {
                    folders.Add(Path.GetFullPath(Path.Combine(root, folder.Trim())));
                }
            }
            return folders;
        }

        /// <summary>Return what to say where the daemon does not know the method.</summary>
        public static string NotThere(string version, string query)
        {
            return $"The daemon that runs is of assetdb {version}, which cannot say why something is in a build."
                + $" In a terminal, in the project's folder, this does: assetdb trace {query} --in BUILD";
        }

        /// <summary>Return an entry for each file that has it, with why it is there, and for each that a catalog names.</summary>
        /// <param name="result">What the daemon answered.</param>
        /// <param name="note">Gets what is to be said beside the result.</param>
        public static List<ResultNode> Nodes(JsonValue result, out string note)
        {
            result.Expect(JsonKind.Object, "result");
            result.Member("rows").Expect(JsonKind.Array, "rows");
            var nodes = new List<ResultNode>();
            var notes = new List<string>();
            foreach (JsonValue row in result.List("rows"))
            {
                row.Expect(JsonKind.Object, "rows");
                if (row.Text("reason").Length > 0)
                {
                    notes.Add("the daemon does not know this asset (yet)");
                }
                foreach (JsonValue part in row.List("parts"))
                {
                    nodes.Add(OfPart(part));
                }
                foreach (JsonValue entry in row.List("catalog"))
                {
                    nodes.Add(OfEntry(entry));
                }
                foreach (JsonValue laidOut in row.List("layout"))
                {
                    nodes.Add(OfLayout(laidOut));
                }
                foreach (JsonValue stated in row.List("state"))
                {
                    stated.Expect(JsonKind.Object, "state");
                    nodes.Add(new ResultNode(stated.Text("bundle"), $"of the content state, {Bytes(stated, "size")}"));
                }
            }
            foreach (JsonValue problem in result.List("problems"))
            {
                notes.Add(problem.Shown());
            }
            note = string.Join("; ", notes.ToArray());
            return nodes;
        }

        private static ResultNode OfPart(JsonValue part)
        {
            part.Expect(JsonKind.Object, "parts");
            IReadOnlyList<JsonValue> objects = part.List("objects");
            string count = objects.Count == 1 ? "1 object" : $"{Number(objects.Count)} objects";
            var file = new ResultNode(part.RequiredText("part"), $"{count}, {Bytes(part, "size")}");
            string why = part.Text("why");
            ResultNode reason = file.Add(new ResultNode(
                why == NothingLoadsIt ? "nothing that loads it is here" : Reason(why, part.Text("root")), "why"));
            foreach (JsonValue step in part.List("way"))
            {
                reason = reason.Add(new ResultNode(step.Shown()));
            }
            foreach (JsonValue item in objects)
            {
                item.Expect(JsonKind.Object, "objects");
                string name = item.Text("name").Length > 0 ? item.Text("name") : item.Text("class");
                file.Add(new ResultNode(
                    $"{name} #{item.Integer("path_id", 0).ToString(CultureInfo.InvariantCulture)}",
                    $"{item.Text("class")}, {item.Text("certainty")}"));
            }
            return file;
        }

        private static ResultNode OfEntry(JsonValue entry)
        {
            entry.Expect(JsonKind.Object, "catalog");
            string bundle = entry.Text("bundle");
            var node = new ResultNode(entry.Text("address"), "key of a catalog");
            if (bundle.Length > 0)
            {
                node.Add(new ResultNode(bundle, Bytes(entry, "bundle_size")));
            }
            foreach (JsonValue label in entry.List("labels"))
            {
                node.Add(new ResultNode(label.Shown(), "label"));
            }
            return node;
        }

        private static ResultNode OfLayout(JsonValue laidOut)
        {
            laidOut.Expect(JsonKind.Object, "layout");
            var node = new ResultNode(laidOut.Text("bundle"), $"pulled in, {Bytes(laidOut, "size")}");
            foreach (JsonValue user in laidOut.List("used_by"))
            {
                node.Add(new ResultNode(user.Shown(), "refers to it", ResultNodes.AssetPath(user.Shown())));
            }
            return node;
        }

        private static string Reason(string why, string root)
        {
            switch (why)
            {
                case "container":
                    return $"loaded by {root}";
                case "list":
                    return $"listed in {root}";
                case "player settings":
                    return $"settings of {root}";
                default:
                    return $"{why} {root}";
            }
        }

        private static string Bytes(JsonValue fields, string name) => $"{Number(fields.Integer(name, 0))} bytes";

        private static string Number(long number) => number.ToString("N0", CultureInfo.InvariantCulture);
    }
}
