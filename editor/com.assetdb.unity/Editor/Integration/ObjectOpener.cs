using System.Globalization;
using AssetDb.Protocol;
using UnityEditor;
using UnityEditorInternal;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace AssetDb.EditorIntegration
{
    /// <summary>Leads from an entry of a result to the object that it names.</summary>
    internal static class ObjectOpener
    {
        private const string SceneExtension = ".unity";
        private const string PrefabExtension = ".prefab";

        /// <summary>Show where it is: the object where it is loaded, else its asset.</summary>
        /// <returns>Whether the editor knows it.</returns>
        public static bool Ping(ResultNode node)
        {
            Object target = Find(node);
            if (target == null) // not `??`: the editor has objects that only equal null
            {
                target = AssetDatabase.LoadMainAssetAtPath(node.Path);
            }
            if (target == null)
            {
                return false;
            }
            Selection.activeObject = target;
            EditorGUIUtility.PingObject(target);
            return true;
        }

        /// <summary>Open what can be opened (a scene asks first whether to save), then show the object in it.</summary>
        public static void Open(ResultNode node)
        {
            Object asset = AssetDatabase.LoadMainAssetAtPath(node.Path);
            if (asset == null)
            {
                // Files of ProjectSettings are no assets.
                InternalEditorUtility.OpenFileAtLineExternal(node.Path, (int)node.Line);
                return;
            }
            bool isContainer = node.Path.EndsWith(SceneExtension) || node.Path.EndsWith(PrefabExtension);
            if (isContainer && !IsOpen(node.Path))
            {
                AssetDatabase.OpenAsset(asset);
            }
            Ping(node);
        }

        private static bool IsOpen(string path)
        {
            if (path.EndsWith(SceneExtension))
            {
                return SceneManager.GetSceneByPath(path).isLoaded;
            }
            UnityEditor.SceneManagement.PrefabStage stage =
                UnityEditor.SceneManagement.PrefabStageUtility.GetCurrentPrefabStage();
            return stage != null && stage.assetPath == path;
        }

        private static Object Find(ResultNode node)
        {
            if (node.FileId == 0)
            {
                return null;
            }
            if (node.Path.EndsWith(SceneExtension))
            {
                string id = string.Format(
                    CultureInfo.InvariantCulture,
                    "GlobalObjectId_V1-2-{0}-{1}-0",
                    AssetDatabase.AssetPathToGUID(node.Path),
                    unchecked((ulong)node.FileId));
                return GlobalObjectId.TryParse(id, out GlobalObjectId parsed)
                    ? GlobalObjectId.GlobalObjectIdentifierToObjectSlow(parsed)
                    : null;
            }
            foreach (Object candidate in AssetDatabase.LoadAllAssetsAtPath(node.Path))
            {
                if (candidate != null
                    && AssetDatabase.TryGetGUIDAndLocalFileIdentifier(candidate, out string _, out long fileId)
                    && fileId == node.FileId)
                {
                    return candidate;
                }
            }
            return null;
        }
    }
}
