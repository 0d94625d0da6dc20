using System.Globalization;
using System.IO;
using AssetDb.Protocol;
using UnityEditor;
using UnityEditorInternal;
using UnityEngine;
using UnityEngine.SceneManagement;
using Object = UnityEngine.Object;

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

        /// <summary>Show the asset in the Project window, and leave the selection as it is.</summary>
        public static void Point(ResultNode node)
        {
            Object asset = node.Path.Length > 0 ? AssetDatabase.LoadMainAssetAtPath(node.Path) : null;
            if (asset != null)
            {
                EditorGUIUtility.PingObject(asset);
            }
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

        /// <summary>Return an object of a loaded scene: its own, or one of a prefab instance by the prefab's fileID.</summary>
        private static Object InScene(string path, long fileId, long instance)
        {
            string id = string.Format(
                CultureInfo.InvariantCulture,
                "GlobalObjectId_V1-2-{0}-{1}-{2}",
                AssetDatabase.AssetPathToGUID(path),
                unchecked((ulong)fileId),
                unchecked((ulong)instance));
            return GlobalObjectId.TryParse(id, out GlobalObjectId parsed)
                ? GlobalObjectId.GlobalObjectIdentifierToObjectSlow(parsed)
                : null;
        }

        /// <summary>Return an object of the prefab that is open, as that has copies of the asset's objects.</summary>
        private static Object InOpenPrefab(ResultNode node)
        {
            UnityEditor.SceneManagement.PrefabStage stage =
                UnityEditor.SceneManagement.PrefabStageUtility.GetCurrentPrefabStage();
            if (stage == null || stage.assetPath != node.Path || stage.prefabContentsRoot == null)
            {
                return null;
            }
            foreach (Transform transform in stage.prefabContentsRoot.GetComponentsInChildren<Transform>(true))
            {
                if (Subjects.WrittenId(transform.gameObject) == node.FileId)
                {
                    return transform.gameObject;
                }
                // A PrefabInstance is no object of the stage: the root of the instance stands for it.
                Object instance = PrefabUtility.GetPrefabInstanceHandle(transform.gameObject);
                if (instance != null && Subjects.WrittenId(instance) == node.FileId)
                {
                    return transform.gameObject;
                }
                foreach (Component component in transform.gameObject.GetComponents<Component>())
                {
                    if (component != null && Subjects.WrittenId(component) == node.FileId)
                    {
                        return component;
                    }
                }
            }
            return null;
        }

        private static Object Find(ResultNode node)
        {
            if (node.FileId == 0)
            {
                return null;
            }
            if (node.Path.EndsWith(SceneExtension))
            {
                Object found = InScene(node.Path, node.FileId, 0);
                if (found == null && StrippedObject.Read(Path.Combine(EditorSession.Root, node.Path), node.FileId) is StrippedObject stripped)
                {
                    found = InScene(node.Path, stripped.Source, stripped.Instance);
                }
                return found;
            }
            Object inStage = InOpenPrefab(node);
            if (inStage != null)
            {
                return inStage;
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
