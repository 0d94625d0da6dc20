using UnityEditor;
using UnityEngine;

namespace AssetDb.EditorIntegration
{
    /// <summary>
    /// What the user has settled. In the editor's preferences of this user and machine, never in a file of the project: a
    /// project that was cloned must not be able to name a program that is run, or to have one started.
    /// </summary>
    internal static class UserPreferences
    {
        private const string ExecutableKey = "assetdb.executable";

        /// <summary>Absolute path of assetdb, <c>""</c> for the one on PATH; the same for all projects.</summary>
        public static string Executable
        {
            get => EditorPrefs.GetString(ExecutableKey, "");
            set => EditorPrefs.SetString(ExecutableKey, value);
        }

        /// <summary>Whether the daemon is started with the editor; for this project.</summary>
        public static bool StartsDaemon
        {
            get => EditorPrefs.GetBool(OfProject("start-daemon"), false);
            set => EditorPrefs.SetBool(OfProject("start-daemon"), value);
        }

        /// <summary>Folders of a build, separated by semicolons, in which is looked for why something is there.</summary>
        public static string Builds
        {
            get => EditorPrefs.GetString(OfProject("builds"), "");
            set => EditorPrefs.SetString(OfProject("builds"), value);
        }

        /// <summary>The same, or what the team has settled where the user has not.</summary>
        public static string BuildsOrTeams =>
            Builds.Trim().Length > 0 ? Builds : string.Join(";", new System.Collections.Generic.List<string>(TeamSettings.Read().Builds).ToArray());

        private static string OfProject(string name) => $"assetdb.{name}.{Hash128.Compute(EditorSession.Root)}";
    }
}
