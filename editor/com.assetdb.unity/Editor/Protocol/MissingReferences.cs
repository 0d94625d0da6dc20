using System;
using System.Collections.Generic;
using System.Globalization;

namespace AssetDb.Protocol
{
    /// <summary>What a lost GUID stood for, as <c>assetdb name --json</c> tells by git.</summary>
    public sealed class FormerName
    {
        public FormerName(string path, string commit)
        {
            Path = path;
            Commit = commit;
        }

        public string Path { get; }

        /// <summary>The commit from which on nothing has the GUID, <c>""</c> where that is not committed.</summary>
        public string Commit { get; }

        /// <summary>Read the lines that the command prints; GUIDs that git does not know either are left out.</summary>
        public static Dictionary<string, FormerName> ReadAll(string lines)
        {
            var names = new Dictionary<string, FormerName>(StringComparer.Ordinal);
            foreach (string line in lines.Split('\n'))
            {
                if (line.Trim().Length == 0)
                {
                    continue;
                }
                JsonValue fields = JsonReader.Read(line).Expect(JsonKind.Object, "name");
                JsonValue was = fields.Member("was");
                string guid = fields.Text("guid");
                if (was.Kind == JsonKind.Object && guid.Length > 0)
                {
                    names[guid] = new FormerName(was.Text("path"), was.Text("commit"));
                }
            }
            return names;
        }
    }

    /// <summary>The references of a file whose targets are not there.</summary>
    public sealed class MissingReferences
    {
        /// <summary>How many queries one request may have; the daemon takes 20,000.</summary>
        public const int MostQueries = 20000;

        private static readonly Dictionary<string, string> Explained = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            { "missing-asset", "nothing has this GUID" },
            { "dangling", "the asset exists, the object does not (any more)" },
            { "stale-override", "overrides an object that the prefab does not have (any more)" },
            { "target-absent", "the file, or a file that it nests, is absent or empty" },
            { "lfs-pointer", "the file is a Git LFS pointer: git lfs pull" },
            { "unreadable", "the file is there, but cannot be read" },
            { "package-not-present", "of a package that is not on this machine" },
        };

        private readonly string path;
        private readonly string ownGuid;
        private readonly List<FileReference> references = new List<FileReference>();
        private readonly List<string> queries = new List<string>();

        /// <summary>Take a file that was read, and which of its objects to look at, with their components: null for all.</summary>
        public MissingReferences(string path, string ownGuid, ScannedFile file, ICollection<long> objects)
        {
            this.path = path;
            this.ownGuid = ownGuid;
            var seen = new HashSet<string>(StringComparer.Ordinal);
            HashSet<long> wanted = objects == null ? null : file.WithComponents(objects);
            foreach (FileReference reference in file.References)
            {
                bool isLocalAndThere = reference.Guid.Length == 0 && file.Objects.Contains(reference.FileId);
                if (isLocalAndThere || (wanted != null && !wanted.Contains(reference.ObjectId)))
                {
                    continue;
                }
                references.Add(reference);
                if (reference.Guid.Length > 0 && seen.Add(QueryOf(reference)))
                {
                    queries.Add(QueryOf(reference));
                }
                string owner = OwnerQueryOf(reference);
                if (owner.Length > 0 && seen.Add(owner))
                {
                    queries.Add(owner);
                }
            }
        }

        /// <summary>What the daemon has to <c>resolve</c>.</summary>
        public IReadOnlyList<string> Queries => queries;

        /// <summary>Return the GUIDs that nothing has, given what the daemon answered to <see cref="Queries"/>.</summary>
        public List<string> LostGuids(IReadOnlyDictionary<string, ResolvedName> names)
        {
            var lost = new List<string>();
            foreach (FileReference reference in references)
            {
                if (reference.Guid.Length > 0 && names.TryGetValue(QueryOf(reference), out ResolvedName name)
                    && name.Reason == "missing-asset" && !lost.Contains(reference.Guid))
                {
                    lost.Add(reference.Guid);
                }
            }
            return lost;
        }

        /// <summary>Return a file with its objects and their missing references; null where none is missing.</summary>
        public ResultNode Node(
            IReadOnlyDictionary<string, ResolvedName> names, IReadOnlyDictionary<string, FormerName> formerNames)
        {
            var file = new ResultNode(path, "", path);
            var owners = new Dictionary<long, ResultNode>();
            foreach (FileReference reference in references)
            {
                string label;
                string detail;
                if (reference.Guid.Length == 0)
                {
                    label = "an object of this file";
                    detail = $"&{reference.FileId} is not (any more) in it";
                }
                else if (!Describe(reference, names, formerNames, out label, out detail))
                {
                    continue;
                }
                if (!owners.TryGetValue(reference.ObjectId, out ResultNode owner))
                {
                    owner = file.Add(new ResultNode(
                        OwnerOf(reference, names), reference.ClassName, path, reference.ObjectId, reference.Line));
                    owners.Add(reference.ObjectId, owner);
                }
                owner.Add(new ResultNode(
                    $"{reference.Property}: {label}",
                    $"{detail}, {ResultNodes.LineText(reference.Line)}",
                    path,
                    reference.ObjectId,
                    reference.Line));
            }
            return file.Children.Count > 0 ? file : null;
        }

        private static bool Describe(
            FileReference reference,
            IReadOnlyDictionary<string, ResolvedName> names,
            IReadOnlyDictionary<string, FormerName> formerNames,
            out string label,
            out string detail)
        {
            label = "";
            detail = "";
            if (!names.TryGetValue(QueryOf(reference), out ResolvedName name)
                || !Explained.TryGetValue(name.Reason, out string explained))
            {
                return false;
            }
            detail = explained;
            if (formerNames.TryGetValue(reference.Guid, out FormerName former))
            {
                label = former.Path;
                detail = former.Commit.Length > 0
                    ? $"had this GUID until commit {former.Commit}"
                    : "had this GUID; its removal is not committed";
            }
            else
            {
                label = name.Name.Length > 0 ? name.Name : name.Path;
                if (label.Length == 0)
                {
                    label = reference.Guid;
                }
                else if (name.Reason == "dangling" || name.Reason == "stale-override")
                {
                    label += " &" + reference.FileId.ToString(CultureInfo.InvariantCulture);
                }
            }
            return true;
        }

        private string OwnerOf(FileReference reference, IReadOnlyDictionary<string, ResolvedName> names)
        {
            if (names.TryGetValue(OwnerQueryOf(reference), out ResolvedName name) && name.Name.Length > 0)
            {
                return name.Name;
            }
            return reference.ObjectId == 0
                ? path
                : "&" + reference.ObjectId.ToString(CultureInfo.InvariantCulture);
        }

        private string OwnerQueryOf(FileReference reference)
        {
            return reference.ObjectId == 0 || ownGuid.Length == 0
                ? ""
                : ownGuid + ":" + reference.ObjectId.ToString(CultureInfo.InvariantCulture);
        }

        private static string QueryOf(FileReference reference)
        {
            return reference.Guid + ":" + reference.FileId.ToString(CultureInfo.InvariantCulture);
        }
    }
}
