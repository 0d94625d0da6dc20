using System.Collections.Generic;

namespace AssetDb.Protocol
{
    /// <summary>Why something is in a build: the daemon's <c>trace</c>, which no daemon has yet.</summary>
    public static class TraceQuestion
    {
        public const string Method = "trace";

        /// <summary>Return the parameters: what is asked for, and the builds to look in.</summary>
        public static JsonWriter Parameters(string query, IReadOnlyList<string> builds)
        {
            return new JsonWriter().Text("query", query).Texts("builds", builds);
        }

        /// <summary>Return what to say where the daemon does not know the method.</summary>
        public static string NotThere(string version, string query)
        {
            return $"The daemon that runs is of assetdb {version}, which cannot say why something is in a build."
                + $" In a terminal, in the project's folder, this does: assetdb trace {query} --in BUILD";
        }
    }
}
