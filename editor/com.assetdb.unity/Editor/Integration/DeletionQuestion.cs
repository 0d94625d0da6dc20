using System.Collections.Generic;
using AssetDb.Connection;
using AssetDb.Protocol;
using UnityEditor;
using UnityEngine;

namespace AssetDb.EditorIntegration
{
    /// <summary>
    /// Asks before selected assets are deleted that other files use. What scripts delete is not asked for, and a daemon
    /// that does not answer at once holds nothing up.
    /// </summary>
    internal sealed class DeletionQuestion : AssetModificationProcessor
    {
        private const int Patience = 300; // milliseconds
        private const int Keep = 1; // answers of a dialog with three buttons
        private const int DeleteAll = 2;

        private static bool isDecided;

        private static AssetDeleteResult OnWillDeleteAsset(string path, RemoveAssetOptions options)
        {
            if (isDecided || Application.isBatchMode || !EditorSession.State.IsRunning)
            {
                return AssetDeleteResult.DidNotDelete; // which lets the editor delete it
            }
            List<string> selected = Selected();
            if (!selected.Contains(path))
            {
                return AssetDeleteResult.DidNotDelete;
            }
            List<string> guids = GuidsOf(path);
            bool isAnswered = EditorSession.Within(
                Patience,
                ask =>
                {
                    var found = new Deletion(selected);
                    foreach (string guid in guids)
                    {
                        found.Add(UsagesAnswer.Read(ask.Call("usages", new JsonWriter().Text("query", guid))));
                    }
                    return found;
                },
                out Deletion deletion);
            if (!isAnswered || deletion.Count == 0)
            {
                return AssetDeleteResult.DidNotDelete;
            }
            int answer = EditorUtility.DisplayDialogComplex(
                "Delete what is in use? (assetdb)", deletion.Text(path), "Delete", "Keep", "Delete all selected");
            if (answer == DeleteAll)
            {
                isDecided = true;
                EditorApplication.delayCall += () => isDecided = false; // this deletion is over by then
            }
            return answer == Keep ? AssetDeleteResult.FailedDelete : AssetDeleteResult.DidNotDelete;
        }

        private static List<string> Selected()
        {
            var paths = new List<string>();
            foreach (string guid in Selection.assetGUIDs)
            {
                paths.Add(AssetDatabase.GUIDToAssetPath(guid));
            }
            return paths;
        }

        /// <summary>Return the GUID of an asset, or those of all that is in a folder.</summary>
        private static List<string> GuidsOf(string path)
        {
            var guids = new List<string> { AssetDatabase.AssetPathToGUID(path) };
            if (AssetDatabase.IsValidFolder(path))
            {
                guids.AddRange(AssetDatabase.FindAssets("", new[] { path }));
            }
            return guids;
        }
    }
}
