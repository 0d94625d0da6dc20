using System.Collections.Generic;
using System.Reflection;
using AssetDb.Connection;
using AssetDb.Protocol;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;

namespace AssetDb.EditorIntegration
{
    /// <summary>From what is selected in the editor to what the daemon is asked.</summary>
    internal static class Subjects
    {
        private const int SceneObject = 2; // of GlobalObjectId.identifierType
        private const int Batch = 500; // objects that are identified at once

        /// <summary>Return an asset, or an object in one (a sprite of a sheet, a clip of a model); null for no asset.</summary>
        public static Subject OfAsset(Object asset)
        {
            if (asset == null
                || !AssetDatabase.TryGetGUIDAndLocalFileIdentifier(asset, out string guid, out long fileId))
            {
                return null;
            }
            bool isWhole = AssetDatabase.IsMainAsset(asset);
            long[] localIds = isWhole ? new long[0] : new[] { fileId };
            return new Subject(asset.name, guid, fileId, AssetDatabase.GetAssetPath(asset), isWhole, localIds);
        }

        /// <summary>
        /// Return a GameObject of a scene or of an open prefab: the prefab that it comes from for the other files, itself
        /// with its components for its own.
        /// </summary>
        public static Subject OfGameObject(GameObject gameObject)
        {
            if (EditorUtility.IsPersistent(gameObject))
            {
                return OfAsset(gameObject);
            }
            var localIds = new HashSet<long>();
            AddLocalId(gameObject, localIds);
            foreach (Component component in gameObject.GetComponents<Component>())
            {
                AddLocalId(component, localIds);
            }
            return OfInstance(
                gameObject, gameObject, localIds, PrefabUtility.IsAnyPrefabInstanceRoot(gameObject), gameObject.name);
        }

        /// <summary>Return one component of a GameObject.</summary>
        public static Subject OfComponent(Component component)
        {
            string label = $"{component.gameObject.name} ({component.GetType().Name})";
            if (EditorUtility.IsPersistent(component))
            {
                return OfAsset(component);
            }
            var localIds = new HashSet<long>();
            AddLocalId(component, localIds);
            return OfInstance(component, component.gameObject, localIds, false, label);
        }

        /// <summary>
        /// Return a GameObject of a scene with everything below it: what a look for missing references means; null if the
        /// user cancelled it.
        /// </summary>
        public static Subject OfHierarchy(GameObject root)
        {
            var targets = new List<Object>();
            foreach (Transform transform in root.GetComponentsInChildren<Transform>(true))
            {
                targets.Add(transform.gameObject);
                targets.Add(PrefabUtility.GetPrefabInstanceHandle(transform.gameObject));
                targets.AddRange(transform.gameObject.GetComponents<Component>());
            }
            targets.RemoveAll(target => target == null); // components whose script is missing
            var localIds = new HashSet<long>();
            return AddLocalIds(targets, localIds) ? new Subject(root.name, "", 0, PathOf(root), false, localIds) : null;
        }

        /// <summary>
        /// Return a GameObject as one identity: that of the prefab's object it comes from, else its own in its scene.
        /// </summary>
        public static Subject Identity(GameObject gameObject)
        {
            Subject subject = OfGameObject(gameObject);
            if (subject == null || subject.Guid.Length > 0)
            {
                return subject;
            }
            var own = new HashSet<long>();
            AddLocalId(gameObject, own);
            foreach (long fileId in own)
            {
                string guid = AssetDatabase.AssetPathToGUID(subject.Path);
                return guid.Length == 0 ? null : new Subject(subject.Label, guid, fileId, subject.Path, false, own);
            }
            return null; // its scene was never saved
        }

        private static Subject OfInstance(
            Object instance, GameObject owner, ICollection<long> localIds, bool isWhole, string label)
        {
            Object source = PrefabUtility.GetCorrespondingObjectFromSource(instance);
            if (source == null || !AssetDatabase.TryGetGUIDAndLocalFileIdentifier(source, out string guid, out long fileId))
            {
                return new Subject(label, "", 0, PathOf(owner), false, localIds);
            }
            return new Subject(label, guid, fileId, PathOf(owner), isWhole, localIds);
        }

        /// <summary>Return the file that has a GameObject, <c>""</c> for a scene that was never saved.</summary>
        private static string PathOf(GameObject gameObject)
        {
            PrefabStage stage = PrefabStageUtility.GetPrefabStage(gameObject);
            return (stage != null ? stage.assetPath : gameObject.scene.path) ?? "";
        }

        private static void AddLocalId(Object target, HashSet<long> into)
        {
            if (target == null) // a component whose script is missing
            {
                return;
            }
            AddLocalId(target, GlobalObjectId.GetGlobalObjectIdSlow(target), into);
        }

        /// <summary>Add the fileIDs of many objects, with a progress bar.</summary>
        /// <returns>Whether the user did not cancel it.</returns>
        private static bool AddLocalIds(List<Object> targets, HashSet<long> into)
        {
            try
            {
                for (int at = 0; at < targets.Count; at += Batch)
                {
                    if (targets.Count > Batch && EditorUtility.DisplayCancelableProgressBar(
                        "assetdb", $"Identifying {targets.Count:N0} objects", (float)at / targets.Count))
                    {
                        return false;
                    }
                    Object[] batch = targets.GetRange(at, System.Math.Min(Batch, targets.Count - at)).ToArray();
                    var ids = new GlobalObjectId[batch.Length];
                    GlobalObjectId.GetGlobalObjectIdsSlow(batch, ids);
                    for (int each = 0; each < batch.Length; each++)
                    {
                        AddLocalId(batch[each], ids[each], into);
                    }
                }
                return true;
            }
            finally
            {
                if (targets.Count > Batch)
                {
                    EditorUtility.ClearProgressBar();
                }
            }
        }

        private static void AddLocalId(Object target, GlobalObjectId id, HashSet<long> into)
        {
            long fileId;
            if (id.identifierType == SceneObject)
            {
                fileId = id.targetPrefabId == 0
                    ? unchecked((long)id.targetObjectId)
                    : ReferenceScanner.StrippedId(id.targetObjectId, id.targetPrefabId);
            }
            else
            {
                fileId = WrittenId(target); // an open prefab's objects are of no scene that has a GUID
            }
            if (fileId != 0)
            {
                into.Add(fileId);
            }
        }

        /// <summary>Return the fileID as the inspector's debug mode shows it, 0 where an editor does not have that.</summary>
        public static long WrittenId(Object target)
        {
            PropertyInfo mode = typeof(SerializedObject).GetProperty(
                "inspectorMode", BindingFlags.Instance | BindingFlags.NonPublic);
            if (mode == null)
            {
                return 0;
            }
            using (var serialized = new SerializedObject(target))
            {
                mode.SetValue(serialized, InspectorMode.Debug, null);
                SerializedProperty property = serialized.FindProperty("m_LocalIdentfierInFile"); // Unity's spelling
                return property == null ? 0 : property.longValue;
            }
        }
    }
}
