using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace AssetDb.EndToEnd
{
    /// <summary>Creates, edits, moves and deletes assets with their metas, the same for the same project.</summary>
    internal sealed class ProjectChanger
    {
        private const string Folder = "Assets/Played";

        private readonly string root;
        private readonly Random random = new Random(1717);
        private readonly Dictionary<string, string> assets = new Dictionary<string, string>(); // path to GUID
        private int number;

        public ProjectChanger(string root)
        {
            this.root = root;
        }

        /// <summary>Do so many things; return the paths as OnPostprocessAllAssets gets them.</summary>
        public string[][] Change(int count)
        {
            var imported = new List<string>();
            var deleted = new List<string>();
            var moved = new List<string>();
            var movedFrom = new List<string>();
            for (int left = count; left > 0; left--)
            {
                string[] paths = assets.Keys.ToArray();
                string path = paths.Length > 0 ? paths[random.Next(paths.Length)] : "";
                switch (paths.Length < 5 ? 0 : random.Next(5))
                {
                    case 0:
                    case 1:
                        imported.Add(Create());
                        break;
                    case 2:
                        Write(path);
                        imported.Add(path);
                        break;
                    case 3:
                        movedFrom.Add(path);
                        moved.Add(Move(path));
                        break;
                    default:
                        File.Delete(Full(path));
                        File.Delete(Full(path) + ".meta");
                        assets.Remove(path);
                        deleted.Add(path);
                        break;
                }
            }
            return new[] { imported.ToArray(), deleted.ToArray(), moved.ToArray(), movedFrom.ToArray() };
        }

        private string Create()
        {
            string path = NewPath();
            var digits = new byte[16];
            random.NextBytes(digits);
            assets[path] = BitConverter.ToString(digits).Replace("-", "").ToLowerInvariant();
            Directory.CreateDirectory(Path.GetDirectoryName(Full(path)));
            File.WriteAllText(Full(path) + ".meta", $"fileFormatVersion: 2\nguid: {assets[path]}\nNativeFormatImporter:\n  userData: \n");
            Write(path);
            return path;
        }

        private string Move(string path)
        {
            string to = NewPath();
            Directory.CreateDirectory(Path.GetDirectoryName(Full(to)));
            File.Move(Full(path), Full(to));
            File.Move(Full(path) + ".meta", Full(to) + ".meta");
            assets[to] = assets[path];
            assets.Remove(path);
            return to;
        }

        private void Write(string path)
        {
            string[] others = assets.Values.ToArray();
            string references = "";
            for (int left = random.Next(4); left > 0; left--)
            {
                references += $"  - {{fileID: 11400000, guid: {others[random.Next(others.Length)]}, type: 2}}\n";
            }
            // As the editor saves: beside it, then in its place.
            string beside = Full(path) + ".tmp~";
            File.WriteAllText(
                beside,
                "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n"
                + $"  m_Name: {Path.GetFileNameWithoutExtension(path)}\n  others:\n{references}");
            File.Delete(Full(path));
            File.Move(beside, Full(path));
        }

        private string NewPath() => $"{Folder}/{"ABCDEFGH"[random.Next(8)]}/Thing{number++}.asset";

        private string Full(string path) => Path.Combine(root, path);
    }
}
