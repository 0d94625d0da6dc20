using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using AssetDb.Protocol;

namespace AssetDb.EditorIntegration
{
    /// <summary>The file of <see cref="TeamDefaults"/> in the open project.</summary>
    internal static class TeamSettings
    {
        /// <summary>What is wrong with the file, or could not be written; <c>""</c> where all is well.</summary>
        public static string Problem { get; private set; } = "";

        /// <summary>Return what the team has settled; nothing where there is no such file, or it is wrong.</summary>
        public static TeamDefaults Read()
        {
            Problem = "";
            try
            {
                var file = new FileInfo(FilePath);
                if (!file.Exists)
                {
                    return TeamDefaults.None;
                }
                if (file.Length > TeamDefaults.Longest)
                {
                    Problem = $"{TeamDefaults.FileName} has more than {TeamDefaults.Longest} bytes";
                    return TeamDefaults.None;
                }
                return TeamDefaults.Read(File.ReadAllText(file.FullName, Encoding.UTF8));
            }
            catch (AssetDbException error)
            {
                Problem = error.Message;
            }
            catch (SystemException error) when (error is IOException || error is UnauthorizedAccessException)
            {
                Problem = error.Message;
            }
            return TeamDefaults.None;
        }

        /// <summary>Write the folders of a build, separated by semicolons; without any, remove the file.</summary>
        /// <returns>Whether that was done; else <see cref="Problem"/> says why not.</returns>
        public static bool WriteBuilds(string folders)
        {
            Problem = "";
            var builds = new List<string>();
            foreach (string part in folders.Split(';'))
            {
                string folder = part.Trim();
                if (folder.Length > 0 && !TeamDefaults.IsInside(folder))
                {
                    Problem = $"a team's settings may only name folders inside the project, not {folder}";
                    return false;
                }
                if (folder.Length > 0)
                {
                    builds.Add(folder);
                }
            }
            try
            {
                if (builds.Count == 0)
                {
                    File.Delete(FilePath);
                }
                else
                {
                    File.WriteAllText(FilePath, new TeamDefaults(builds).ToString(), new UTF8Encoding(false));
                }
            }
            catch (SystemException error) when (error is IOException || error is UnauthorizedAccessException)
            {
                Problem = error.Message;
                return false;
            }
            return true;
        }

        private static string FilePath => Path.Combine(EditorSession.Root, TeamDefaults.FileName);
    }
}
