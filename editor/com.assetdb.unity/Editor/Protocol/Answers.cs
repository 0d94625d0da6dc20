using System.Collections.Generic;

namespace AssetDb.Protocol
{
    /// <summary>The answer to one query of <c>resolve</c>.</summary>
    public sealed class ResolvedName
    {
        private ResolvedName(JsonValue fields)
        {
            fields.Expect(JsonKind.Object, "result");
            Guid = fields.Text("guid");
            Name = fields.Text("name");
            Path = fields.Text("path");
            Type = fields.Text("type");
            Reason = fields.Text("reason");
        }

        public string Guid { get; }

        /// <summary><c>""</c> where there is none; then <see cref="Reason"/> says why.</summary>
        public string Name { get; }

        public string Path { get; }

        public string Type { get; }

        public string Reason { get; }

        /// <summary>Read the result of <c>resolve</c>, which has an answer for each of <paramref name="count"/> queries.</summary>
        public static IReadOnlyList<ResolvedName> ReadAll(JsonValue result, int count)
        {
            result.Expect(JsonKind.Array, "result");
            if (result.Items.Count != count)
            {
                throw new ProtocolException($"the daemon answered {result.Items.Count} of {count} queries");
            }
            var names = new List<ResolvedName>(count);
            foreach (JsonValue item in result.Items)
            {
                names.Add(new ResolvedName(item));
            }
            return names;
        }
    }

    /// <summary>A file that refers to what was asked for.</summary>
    public sealed class FileUsage
    {
        internal FileUsage(JsonValue fields)
        {
            fields.Expect(JsonKind.Object, "usages");
            Path = fields.Text("path");
            Type = fields.Text("type");
            Guid = fields.Text("guid");
        }

        public string Path { get; }

        public string Type { get; }

        public string Guid { get; }
    }

    /// <summary>A property of an object that refers to what was asked for.</summary>
    public sealed class ObjectUsage
    {
        internal ObjectUsage(JsonValue fields)
        {
            fields.Expect(JsonKind.Object, "objects");
            Path = fields.RequiredText("path");
            Line = fields.Integer("line", 0);
            ObjectId = fields.Integer("object_id", 0);
            Hierarchy = fields.Text("hierarchy");
            ClassName = fields.Text("class");
            Property = fields.Text("property");
            Override = fields.Text("override");
        }

        public string Path { get; }

        /// <summary>Counted from 1; 0 where there is none.</summary>
        public long Line { get; }

        /// <summary>FileID of the object, 0 for what is no object (a meta).</summary>
        public long ObjectId { get; }

        /// <summary>The way through the hierarchy to the object.</summary>
        public string Hierarchy { get; }

        public string ClassName { get; }

        public string Property { get; }

        /// <summary>The property that a prefab instance overrides, or <c>""</c>.</summary>
        public string Override { get; }
    }

    /// <summary>The result of <c>usages</c> with <c>objects</c>.</summary>
    public sealed class UsagesAnswer
    {
        private UsagesAnswer(JsonValue result)
        {
            result.Expect(JsonKind.Object, "result");
            Name = result.Text("name");
            Reason = result.Text("reason");
            UnreadFiles = result.Integer("unread_files", 0);
            var files = new List<FileUsage>();
            foreach (JsonValue item in result.List("usages"))
            {
                files.Add(new FileUsage(item));
            }
            var objects = new List<ObjectUsage>();
            foreach (JsonValue item in result.List("objects"))
            {
                objects.Add(new ObjectUsage(item));
            }
            Files = files;
            Objects = objects;
        }

        /// <summary>What was asked for, <c>""</c> where it is not known.</summary>
        public string Name { get; }

        /// <summary>Why it is not known, or <c>""</c>.</summary>
        public string Reason { get; }

        public IReadOnlyList<FileUsage> Files { get; }

        public IReadOnlyList<ObjectUsage> Objects { get; }

        /// <summary>How many files could not be read, and may refer to it as well.</summary>
        public long UnreadFiles { get; }

        public static UsagesAnswer Read(JsonValue result) => new UsagesAnswer(result);

        /// <summary>Return what is said of files that could not be read beside an answer about users.</summary>
        public static string UnreadNote(long files) =>
            (files == 1 ? "1 file" : files.ToString("N0") + " files") + " could not be read, and may refer to it as well";
    }

    /// <summary>The result of <c>status</c>, as far as it is shown.</summary>
    public sealed class StatusAnswer
    {
        private StatusAnswer(JsonValue result)
        {
            result.Expect(JsonKind.Object, "result");
            Version = result.RequiredText("version");
            Process = result.RequiredInteger("pid");
            Root = result.RequiredText("root");
            Assets = result.RequiredInteger("assets");
            Problems = result.RequiredInteger("problems");
            JsonValue watch = result.Member("watch");
            IsPending = watch.Member("pending").Shown() == "yes";
            Problem = watch.Text("problem");
        }

        public string Version { get; }

        public long Process { get; }

        public string Root { get; }

        public long Assets { get; }

        /// <summary>How many diagnostics the project has.</summary>
        public long Problems { get; }

        /// <summary>Whether changes are known that are not in the answers yet.</summary>
        public bool IsPending { get; }

        /// <summary>What keeps the daemon from seeing changes at once, or <c>""</c>.</summary>
        public string Problem { get; }

        public static StatusAnswer Read(JsonValue result) => new StatusAnswer(result);
    }
}
