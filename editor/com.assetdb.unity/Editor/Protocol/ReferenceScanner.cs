using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace AssetDb.Protocol
{
    /// <summary>A reference <c>{fileID: ..., guid: ..., type: ...}</c> of a text asset.</summary>
    public sealed class FileReference
    {
        internal FileReference(long objectId, string className, string property, int line, string guid, long fileId)
        {
            ObjectId = objectId;
            ClassName = className;
            Property = property;
            Line = line;
            Guid = guid;
            FileId = fileId;
        }

        /// <summary>FileID of the object in whose document it stands, 0 before the first.</summary>
        public long ObjectId { get; }

        /// <summary>The class of that object, as the document says it: <c>MonoBehaviour</c>.</summary>
        public string ClassName { get; }

        /// <summary>The way to the property: <c>m_Materials[1]</c>.</summary>
        public string Property { get; }

        /// <summary>Counted from 1.</summary>
        public int Line { get; }

        /// <summary><c>""</c> where the target is in the same file.</summary>
        public string Guid { get; }

        public long FileId { get; }
    }

    /// <summary>What a text asset refers to, and which objects it has.</summary>
    public sealed class ScannedFile
    {
        /// <summary>What a file is that is not YAML: binary, a Git LFS pointer, a model.</summary>
        public static readonly ScannedFile NoText = new ScannedFile(new FileReference[0], new HashSet<long>(), true, false);

        internal ScannedFile(
            IReadOnlyList<FileReference> references, HashSet<long> objects, bool isComplete, bool isText = true)
        {
            IsText = isText;
            References = references;
            Objects = objects;
            IsComplete = isComplete;
        }

        public IReadOnlyList<FileReference> References { get; }

        /// <summary>FileIDs of its objects, stripped ones too.</summary>
        public HashSet<long> Objects { get; }

        /// <summary>False where it has more references than are kept.</summary>
        public bool IsComplete { get; }

        public bool IsText { get; }

        /// <summary>
        /// Return objects with the components of those that are GameObjects. The editor gives null for a component whose
        /// script is missing, so that only the file knows its fileID.
        /// </summary>
        public HashSet<long> WithComponents(IEnumerable<long> objects)
        {
            var selected = new HashSet<long>(objects);
            var found = new HashSet<long>(selected);
            foreach (FileReference reference in References)
            {
                if (reference.Guid.Length > 0)
                {
                    continue;
                }
                if (selected.Contains(reference.ObjectId) && reference.Property.StartsWith("m_Component[", StringComparison.Ordinal))
                {
                    found.Add(reference.FileId);
                }
                else if (reference.Property == "m_GameObject" && selected.Contains(reference.FileId))
                {
                    found.Add(reference.ObjectId); // of a prefab's GameObject that is stripped, and lists none
                }
            }
            return found;
        }
    }

    /// <summary>
    /// Reads the references of Unity's YAML, line by line. What refers to an object from *within* its own file is in no
    /// database, as it can break nothing elsewhere; people who look at a scene want it all the same.
    /// </summary>
    public static class ReferenceScanner
    {
        /// <summary>How many references are kept of a file; a scene of 30 MB has 300,000.</summary>
        public const int DefaultMostReferences = 1000000;

        private const string Opening = "{fileID:";
        private const string Document = "--- !u!";
        private const int MostWrapped = 3; // lines that one reference takes: Unity wraps at 80 columns
        private const int MostNested = 64;

        private static readonly HashSet<string> Structure = new HashSet<string>(StringComparer.Ordinal)
        {
            "m_Children", "m_Component", "m_CorrespondingSourceObject", "m_Father", "m_GameObject", "m_PrefabAsset",
            "m_PrefabInstance", "m_RootOrder", "m_Roots", "m_SourcePrefab",
        };

        /// <summary>Read a text asset; what is no YAML of Unity's has no references.</summary>
        public static ScannedFile Scan(TextReader text, int mostReferences = DefaultMostReferences)
        {
            var references = new List<FileReference>();
            var objects = new HashSet<long>();
            var way = new PropertyWay();
            long objectId = 0;
            string className = "";
            bool isComplete = true;
            int number = 0;
            for (string line = text.ReadLine(); line != null; line = text.ReadLine())
            {
                number++;
                if (line.StartsWith(Document, StringComparison.Ordinal))
                {
                    objectId = AnchorOf(line);
                    objects.Add(objectId);
                    className = "";
                    way.Clear();
                    continue;
                }
                if (className.Length == 0 && line.Length > 1 && line[0] > ' ' && line[line.Length - 1] == ':')
                {
                    className = line.Substring(0, line.Length - 1);
                    continue;
                }
                way.Enter(line);
                int at = line.IndexOf(Opening, StringComparison.Ordinal);
                if (at < 0)
                {
                    continue;
                }
                int first = number;
                for (int more = 0; more < MostWrapped && line.LastIndexOf('}') < line.LastIndexOf(Opening, StringComparison.Ordinal); more++)
                {
                    string next = text.ReadLine();
                    if (next == null)
                    {
                        break;
                    }
                    number++;
                    line = line + " " + next.Trim();
                }
                for (; at >= 0; at = line.IndexOf(Opening, at + 1, StringComparison.Ordinal))
                {
                    int end = line.IndexOf('}', at);
                    if (end < 0)
                    {
                        break;
                    }
                    if (!TryRead(line.Substring(at + 1, end - at - 1), out string guid, out long fileId))
                    {
                        continue;
                    }
                    if (references.Count == mostReferences)
                    {
                        isComplete = false;
                        break;
                    }
                    references.Add(new FileReference(
                        objectId, className, way.With(line, at), first, guid, fileId));
                }
            }
            return new ScannedFile(references, objects, isComplete);
        }

        /// <summary>Whether a property says how a hierarchy is put together, and not that somebody uses an object.</summary>
        public static bool IsStructure(string property)
        {
            int end = property.IndexOfAny(new[] { '.', '[' });
            string first = end < 0 ? property : property.Substring(0, end);
            return Structure.Contains(first)
                || (first == "m_Modification" && property.EndsWith("m_TransformParent", StringComparison.Ordinal));
        }

        /// <summary>Return the fileID that a reference to an object of a prefab instance has in the scene.</summary>
        /// <remarks>Unity's rule for stripped objects: instance xor source, without the sign.</remarks>
        public static long StrippedId(ulong source, ulong instance) => (long)((source ^ instance) & 0x7fffffffffffffffUL);

        private static long AnchorOf(string line)
        {
            int at = line.IndexOf('&');
            if (at < 0)
            {
                return 0;
            }
            int end = at + 1;
            while (end < line.Length && (char.IsDigit(line[end]) || line[end] == '-'))
            {
                end++;
            }
            return ReadId(line.Substring(at + 1, end - at - 1), out long id) ? id : 0;
        }

        private static bool TryRead(string inside, out string guid, out long fileId)
        {
            guid = "";
            fileId = 0;
            bool isRead = false;
            foreach (string part in inside.Split(','))
            {
                int colon = part.IndexOf(':');
                if (colon < 0)
                {
                    continue;
                }
                string name = part.Substring(0, colon).Trim();
                string value = part.Substring(colon + 1).Trim();
                if (name == "fileID")
                {
                    isRead = ReadId(value, out fileId);
                }
                else if (name == "guid" && Guids.IsGuid(value))
                {
                    guid = value.ToLowerInvariant();
                }
            }
            return isRead && fileId != 0;
        }

        private static bool ReadId(string text, out long id)
        {
            return long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out id);
        }

        /// <summary>The keys that lead to the line that is read, told by its indentation.</summary>
        private sealed class PropertyWay
        {
            private readonly List<Step> steps = new List<Step>();

            public void Clear() => steps.Clear();

            public void Enter(string line)
            {
                int at = 0;
                while (at < line.Length && line[at] == ' ')
                {
                    at++;
                }
                if (at == line.Length)
                {
                    return;
                }
                bool isItem = line[at] == '-' && at + 1 < line.Length && line[at + 1] == ' ';
                // An item stands as deep as the key that it belongs to: `m_Materials:` and below it `- {fileID: 1}`.
                while (steps.Count > 0 && (isItem ? steps[steps.Count - 1].Indent > at : steps[steps.Count - 1].Indent >= at))
                {
                    steps.RemoveAt(steps.Count - 1);
                }
                while (isItem && steps.Count > 0 && steps.Count < MostNested)
                {
                    Step owner = steps[steps.Count - 1];
                    steps[steps.Count - 1] = new Step(owner.Indent, owner.Key, owner.Item + 1);
                    at += 2;
                    isItem = at + 1 < line.Length && line[at] == '-' && line[at + 1] == ' ';
                }
                int colon = line.IndexOf(':', at);
                int brace = line.IndexOf('{', at);
                if (colon > at && (brace < 0 || colon < brace) && steps.Count < MostNested)
                {
                    steps.Add(new Step(at, line.Substring(at, colon - at), -1));
                }
            }

            /// <summary>Return the way to what stands at a place of the line that was entered last.</summary>
            public string With(string line, int at)
            {
                var parts = new List<string>();
                foreach (Step step in steps)
                {
                    parts.Add(step.Item >= 0
                        ? step.Key + "[" + step.Item.ToString(CultureInfo.InvariantCulture) + "]"
                        : step.Key);
                }
                string own = KeyBefore(line, at);
                if (own.Length > 0 && (steps.Count == 0 || steps[steps.Count - 1].Key != own))
                {
                    parts.Add(own);
                }
                return string.Join(".", parts.ToArray());
            }

            private static string KeyBefore(string line, int at)
            {
                int end = at - 1;
                while (end >= 0 && line[end] == ' ')
                {
                    end--;
                }
                if (end < 0 || line[end] != ':')
                {
                    return "";
                }
                int start = end;
                while (start > 0 && line[start - 1] != ' ' && line[start - 1] != '{' && line[start - 1] != ',')
                {
                    start--;
                }
                return line.Substring(start, end - start);
            }

            private struct Step
            {
                public Step(int indent, string key, int item)
                {
                    Indent = indent;
                    Key = key;
                    Item = item;
                }

                public int Indent { get; }

                public string Key { get; }

                /// <summary>Which item of it was entered last, -1 for none.</summary>
                public int Item { get; }
            }
        }
    }
}
