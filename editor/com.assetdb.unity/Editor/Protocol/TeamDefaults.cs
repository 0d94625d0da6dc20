using System.Collections.Generic;
using System.IO;

namespace AssetDb.Protocol
{
    /// <summary>
    /// What a team has settled for its project, in <c>ProjectSettings/assetdb.json</c>, which is committed. It may come from
    /// a stranger, so that it names no program and starts none, and no folder outside the project.
    /// </summary>
    public sealed class TeamDefaults
    {
        /// <summary>Where it is, from the project on.</summary>
        public const string FileName = "ProjectSettings/assetdb.json";

        /// <summary>What the file holds at most, in characters.</summary>
        public const int Longest = 65536;

        private const string BuildsKey = "builds";

        public static readonly TeamDefaults None = new TeamDefaults(new string[0]);

        public TeamDefaults(IReadOnlyList<string> builds)
        {
            Builds = builds;
        }

        /// <summary>Folders of the build, relative to the project.</summary>
        public IReadOnlyList<string> Builds { get; }

        /// <summary>Read the text of the file.</summary>
        /// <exception cref="ProtocolException">It is no JSON, or names a folder that it may not.</exception>
        public static TeamDefaults Read(string text)
        {
            JsonValue fields = JsonReader.Read(text).Expect(JsonKind.Object, FileName);
            var builds = new List<string>();
            foreach (JsonValue item in fields.List(BuildsKey))
            {
                string folder = item.Expect(JsonKind.String, BuildsKey).Shown();
                if (!IsInside(folder))
                {
                    throw new ProtocolException($"{FileName}: {BuildsKey} may only name folders inside the project, not {folder}");
                }
                builds.Add(folder);
            }
            return new TeamDefaults(builds);
        }

        /// <summary>Return the text of the file.</summary>
        public override string ToString() => new JsonWriter().Texts(BuildsKey, Builds) + "\n";

        /// <summary>Whether a folder is relative and stays in the project.</summary>
        public static bool IsInside(string folder)
        {
            string slashed = folder.Replace('\\', '/');
            if (slashed.Length == 0 || slashed[0] == '/' || slashed[0] == '~' || slashed.IndexOf(':') >= 0 || slashed.IndexOf(';') >= 0)
            {
                return false;
            }
            foreach (string part in slashed.Split('/'))
            {
                if (part == "..")
                {
                    return false;
                }
            }
            return slashed.IndexOfAny(Path.GetInvalidPathChars()) < 0;
        }
    }
}
