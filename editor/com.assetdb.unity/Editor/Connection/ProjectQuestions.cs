using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using AssetDb.Protocol;

namespace AssetDb.Connection
{
    /// <summary>An object that something is asked about.</summary>
    public sealed class Subject
    {
        public Subject(string label, string guid, long fileId, string path, bool isWhole, ICollection<long> localIds)
        {
            Label = label;
            Guid = guid;
            FileId = fileId;
            Path = path;
            IsWhole = isWhole;
            LocalIds = localIds;
        }

        /// <summary>What people call it.</summary>
        public string Label { get; }

        /// <summary>Of the asset that is asked for; <c>""</c> for an object of a scene that is no prefab's.</summary>
        public string Guid { get; }

        public long FileId { get; }

        /// <summary>The text asset, from the project on, in which it stands.</summary>
        public string Path { get; }

        /// <summary>Whether it is a whole asset, and not one object of it.</summary>
        public bool IsWhole { get; }

        /// <summary>FileIDs that it, and what belongs to it, has in the file at <see cref="Path"/>; may be empty.</summary>
        public ICollection<long> LocalIds { get; }

        /// <summary>What the daemon is asked for.</summary>
        public string Query => IsWhole ? Guid : Guid + ":" + FileId.ToString(System.Globalization.CultureInfo.InvariantCulture);
    }

    /// <summary>The questions that the windows ask, each of several requests; none on the main thread.</summary>
    public static class ProjectQuestions
    {
        private const int MostScanned = 256 << 20; // bytes of a text asset
        private static readonly string[] WrittenAsText = { ".unity", ".prefab" };
        private const int NameTimeout = 15000;
        private const int MostNamed = 100; // GUIDs that one command is given

        /// <summary>Return who refers to a subject: other files by the daemon, its own file by reading it.</summary>
        /// <param name="ask">The question that is asked.</param>
        /// <param name="root">Absolute path of the project.</param>
        /// <param name="subject">What is asked for.</param>
        /// <param name="ownGuid">Of the asset at the subject's path.</param>
        /// <param name="note">Gets what is to be said beside the result.</param>
        public static List<ResultNode> Usages(Question ask, string root, Subject subject, string ownGuid, out string note)
        {
            var nodes = new List<ResultNode>();
            var notes = new List<string>();
            if (subject.Guid.Length > 0)
            {
                UsagesAnswer answer = UsagesAnswer.Read(
                    ask.Call("usages", new JsonWriter().Text("query", subject.Query).Boolean("objects", true)));
                if (answer.Reason == "not-found" || answer.Reason == "ambiguous")
                {
                    notes.Add("the daemon does not know this asset (yet)");
                }
                else if (answer.UnreadFiles > 0)
                {
                    notes.Add(UsagesAnswer.UnreadNote(answer.UnreadFiles));
                }
                nodes.AddRange(ResultNodes.OfUsages(answer));
            }
            if (!subject.IsWhole && subject.Path.Length > 0)
            {
                ResultNode local = UsagesWithin(ask, root, subject, ownGuid, notes);
                if (local != null)
                {
                    nodes.Insert(0, local);
                }
            }
            else if (subject.LocalIds.Count > 0)
            {
                notes.Add(NotSaved(subject));
            }
            note = string.Join("; ", notes.ToArray());
            return nodes;
        }

        /// <summary>Return the missing references of files, of some of their objects or of all.</summary>
        /// <param name="ask">The question that is asked.</param>
        /// <param name="root">Absolute path of the project.</param>
        /// <param name="subjects">What to look at: whole files, or objects of them.</param>
        /// <param name="guidOf">The GUID of each path.</param>
        /// <param name="executable">Finds assetdb, which asks git for former names.</param>
        /// <param name="note">Gets what is to be said beside the result.</param>
        public static List<ResultNode> Missing(
            Question ask,
            string root,
            IEnumerable<Subject> subjects,
            IReadOnlyDictionary<string, string> guidOf,
            Func<Executable> executable,
            out string note)
        {
            var nodes = new List<ResultNode>();
            var notes = new List<string>();
            foreach (Subject subject in subjects)
            {
                ScannedFile file = ScanNoting(root, subject, notes);
                guidOf.TryGetValue(subject.Path, out string ownGuid);
                var missing = new MissingReferences(
                    subject.Path, ownGuid ?? "", file, subject.IsWhole ? null : subject.LocalIds);
                Dictionary<string, ResolvedName> names = Resolve(ask, missing.Queries);
                Dictionary<string, FormerName> formerNames = AskGit(root, missing.LostGuids(names), executable, notes);
                ResultNode node = missing.Node(names, formerNames);
                if (node != null)
                {
                    nodes.Add(node);
                }
            }
            note = string.Join("; ", notes.ToArray());
            return nodes;
        }

        /// <summary>Return why a subject is in a build.</summary>
        /// <param name="ask">The question that is asked.</param>
        /// <param name="subject">What is asked for.</param>
        /// <param name="builds">Absolute paths of what the build lies in.</param>
        /// <param name="note">Gets what is to be said beside the result.</param>
        public static List<ResultNode> Trace(Question ask, Subject subject, IReadOnlyList<string> builds, out string note)
        {
            try
            {
                return TraceQuestion.Nodes(
                    ask.Call(TraceQuestion.Method, TraceQuestion.Parameters(subject.Query, builds)), out note);
            }
            catch (RequestException error) when (error.Code == RequestException.MethodNotFound)
            {
                throw new DaemonException(TraceQuestion.NotThere(ask.DaemonVersion(), subject.Query), error);
            }
        }

        private static ResultNode UsagesWithin(
            Question ask, string root, Subject subject, string ownGuid, List<string> notes)
        {
            var hits = new List<FileReference>();
            var queries = new List<string>();
            foreach (FileReference reference in ScanNoting(root, subject, notes).References)
            {
                if (reference.Guid.Length == 0 && subject.LocalIds.Contains(reference.FileId)
                    && !ReferenceScanner.IsStructure(reference.Property) && !subject.LocalIds.Contains(reference.ObjectId))
                {
                    hits.Add(reference);
                    queries.Add(ownGuid + ":" + reference.ObjectId.ToString(System.Globalization.CultureInfo.InvariantCulture));
                }
            }
            if (hits.Count == 0)
            {
                return null;
            }
            Dictionary<string, ResolvedName> names = Resolve(ask, ownGuid.Length > 0 ? queries : new List<string>());
            var file = new ResultNode(subject.Path, "in the same file", subject.Path);
            var owners = new Dictionary<long, ResultNode>();
            for (int at = 0; at < hits.Count; at++)
            {
                FileReference hit = hits[at];
                if (!owners.TryGetValue(hit.ObjectId, out ResultNode owner))
                {
                    bool isNamed = names.TryGetValue(queries[at], out ResolvedName name) && name.Name.Length > 0;
                    owner = file.Add(new ResultNode(
                        isNamed ? name.Name : "&" + hit.ObjectId, hit.ClassName, subject.Path, hit.ObjectId, hit.Line));
                    owners.Add(hit.ObjectId, owner);
                }
                owner.Add(new ResultNode(
                    hit.Property, ResultNodes.LineText(hit.Line), subject.Path, hit.ObjectId, hit.Line));
            }
            return file;
        }

        private static Dictionary<string, ResolvedName> Resolve(Question ask, IReadOnlyList<string> queries)
        {
            var names = new Dictionary<string, ResolvedName>(StringComparer.Ordinal);
            for (int start = 0; start < queries.Count; start += MissingReferences.MostQueries)
            {
                var part = new List<string>();
                for (int at = start; at < Math.Min(queries.Count, start + MissingReferences.MostQueries); at++)
                {
                    part.Add(queries[at]);
                }
                IReadOnlyList<ResolvedName> answered = ResolvedName.ReadAll(
                    ask.Call("resolve", new JsonWriter().Texts("queries", part)), part.Count);
                for (int at = 0; at < part.Count; at++)
                {
                    names[part[at]] = answered[at];
                }
            }
            return names;
        }

        /// <summary>Ask git, by way of the command line, what had GUIDs that nothing has now: the daemon leaves that to it.</summary>
        private static Dictionary<string, FormerName> AskGit(
            string root, List<string> guids, Func<Executable> executable, List<string> notes)
        {
            var names = new Dictionary<string, FormerName>(StringComparer.Ordinal);
            if (guids.Count == 0)
            {
                return names;
            }
            var words = new List<string> { "name", "--json" };
            words.AddRange(guids.GetRange(0, Math.Min(MostNamed, guids.Count)));
            try
            {
                CommandResult result = executable().Run(root, NameTimeout, words.ToArray());
                if (result.Code > 1)
                {
                    notes.Add("former names are not known: " + result.Errors.Trim());
                    return names;
                }
                if (guids.Count > MostNamed)
                {
                    notes.Add($"former names were asked for {MostNamed} of {guids.Count} GUIDs");
                }
                return FormerName.ReadAll(result.Output);
            }
            catch (AssetDbException error)
            {
                notes.Add("former names are not known: " + error.Message);
                return names;
            }
        }

        private static string NotSaved(Subject subject)
        {
            return $"{subject.Label} has not been saved, so references within its scene are in no file";
        }

        /// <summary>Read the file of a subject; whatever keeps its references from being found is a note.</summary>
        private static ScannedFile ScanNoting(string root, Subject subject, List<string> notes)
        {
            if (!subject.IsWhole && subject.LocalIds.Count == 0)
            {
                notes.Add(NotSaved(subject));
                return ScannedFile.NoText;
            }
            ScannedFile file;
            try
            {
                file = Scan(root, subject.Path);
            }
            catch (DaemonException error)
            {
                notes.Add(error.Message);
                return ScannedFile.NoText;
            }
            if (!file.IsText && Array.IndexOf(WrittenAsText, Path.GetExtension(subject.Path).ToLowerInvariant()) >= 0)
            {
                notes.Add($"{subject.Path} is not text (Project Settings > Editor > Asset Serialization > Force Text; git lfs pull)");
            }
            else if (!file.IsComplete)
            {
                notes.Add($"{subject.Path} has more references than were looked at");
            }
            return file;
        }

        private static ScannedFile Scan(string root, string path)
        {
            string full = Path.Combine(root, path);
            try
            {
                long size = new FileInfo(full).Length;
                if (size > MostScanned)
                {
                    throw new DaemonException($"{path} has {size >> 20} MB, which is too much to look through here");
                }
                using (var text = new StreamReader(full, Encoding.UTF8))
                {
                    // A model or a texture is no text, and may be one line of 100 MB.
                    return text.Peek() == '%' ? ReferenceScanner.Scan(text) : ScannedFile.NoText;
                }
            }
            catch (SystemException error) when (error is IOException || error is UnauthorizedAccessException)
            {
                throw new DaemonException($"{path} cannot be read: {error.Message}", error);
            }
        }
    }
}
