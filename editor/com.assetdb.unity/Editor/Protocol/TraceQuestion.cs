using System.Collections.Generic;

namespace AssetDb.Protocol
{
    /// <summary>Why something is in a build: the daemon's <c>trace</c>, which older daemons do not have.</summary>
    public static class TraceQuestion
    {
        public const string Method = "trace";

        /// <summary>The first assetdb whose daemon answers it.</summary>
        public const string Since = "0.2.0";

        /// <summary>Return the parameters: what is asked for, and the builds to look in.</summary>
        public static JsonWriter Parameters(string query, IReadOnlyList<string> builds)
        {
            return new JsonWriter().Text("query", query).Texts("builds", builds);
        }

        /// <summary>Return what to say where the daemon does not know the method.</summary>
        public static string NotThere(string version)
        {
            return $"The daemon that runs is of assetdb {version}, which cannot say why something is in a build: that needs"
                + $" assetdb {Since} or later. Update assetdb, then restart the daemon.";
        }
    }
}
