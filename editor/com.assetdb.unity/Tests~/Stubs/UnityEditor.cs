// The part of UnityEditor that the package uses; see UnityEngine.cs.
using System;
using System.Collections.Generic;
using System.IO;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class InitializeOnLoadAttribute : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class InitializeOnLoadMethodAttribute : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class MenuItem : Attribute
    {
        public MenuItem(string itemName) : this(itemName, false, 1000)
        {
        }

        public MenuItem(string itemName, bool isValidateFunction) : this(itemName, isValidateFunction, 1000)
        {
        }

        public MenuItem(string itemName, bool isValidateFunction, int priority)
        {
            menuItem = itemName;
            validate = isValidateFunction;
            this.priority = priority;
        }

        public string menuItem { get; }

        public bool validate { get; }

        public int priority { get; }
    }

    public sealed class MenuCommand
    {
        public MenuCommand(Object inContext)
        {
            context = inContext;
        }

        public Object context { get; }
    }

    public class AssetPostprocessor
    {
    }

    public class AssetModificationProcessor
    {
    }

    public struct GUID
    {
        public string StubText { get; set; }

        public override string ToString() => StubText;
    }

    public class AssetImporter : Object
    {
        public string assetPath { get; set; } = "";
    }

    public enum RemoveAssetOptions
    {
        MoveAssetToTrash = 0,
        DeleteAssets = 2,
    }

    public enum AssetDeleteResult
    {
        DidNotDelete = 0,
        FailedDelete = 1,
        DidDelete = 2,
    }

    /// <summary>Base of inspectors. Its event is in the Scripting API from 2018.2 on.</summary>
    public class Editor : ScriptableObject
    {
        public static event Action<Editor> finishedDefaultHeaderGUI;

        public Object target { get; set; }

        public Object[] targets => new[] { target };

        public int StubRepaints { get; private set; }

        public void Repaint() => StubRepaints++;

        public static void StubDraw(Editor editor) => finishedDefaultHeaderGUI?.Invoke(editor);
    }

    public static class EditorStyles
    {
        public static GUIStyle miniLabel { get; } = new GUIStyle();
    }

    public struct GlobalObjectId
    {
        public static Dictionary<Object, GlobalObjectId> StubIds { get; } = new Dictionary<Object, GlobalObjectId>();

        public int identifierType { get; set; }

        public ulong targetObjectId { get; set; }

        public ulong targetPrefabId { get; set; }

        public GUID assetGUID { get; set; }

        public static GlobalObjectId GetGlobalObjectIdSlow(Object targetObject)
        {
            StubIds.TryGetValue(targetObject, out GlobalObjectId found);
            return found;
        }

        /// <summary>In the Scripting API from 2020.1 on; the array is filled.</summary>
        public static void GetGlobalObjectIdsSlow(Object[] objects, GlobalObjectId[] outputIdentifiers)
        {
            for (int at = 0; at < objects.Length; at++)
            {
                outputIdentifiers[at] = GetGlobalObjectIdSlow(objects[at]);
            }
        }

        /// <summary>Objects of loaded scenes by their identity as a text.</summary>
        public static Dictionary<string, Object> StubLoaded { get; } = new Dictionary<string, Object>();

        public string StubText { get; set; }

        public static bool TryParse(string stringValue, out GlobalObjectId id)
        {
            id = new GlobalObjectId { StubText = stringValue };
            return true;
        }

        public static Object GlobalObjectIdentifierToObjectSlow(GlobalObjectId id)
        {
            StubLoaded.TryGetValue(id.StubText, out Object found);
            return found;
        }
    }

    public static class AssetDatabase
    {
        /// <summary>The main asset of each path.</summary>
        public static Dictionary<string, Object> StubAssets { get; } = new Dictionary<string, Object>();

        /// <summary>GUID and fileID of assets and of objects in them.</summary>
        public static Dictionary<Object, KeyValuePair<string, long>> StubIds { get; } =
            new Dictionary<Object, KeyValuePair<string, long>>();

        public static Object StubOpened { get; private set; }

        public static bool IsAssetImportWorkerProcess() => false;

        public static bool TryGetGUIDAndLocalFileIdentifier(Object obj, out string guid, out long localId)
        {
            bool isKnown = StubIds.TryGetValue(obj, out KeyValuePair<string, long> found);
            guid = found.Key;
            localId = found.Value;
            return isKnown;
        }

        public static bool IsMainAsset(Object obj) => StubAssets.ContainsValue(obj);

        public static string GetAssetPath(Object assetObject)
        {
            foreach (KeyValuePair<string, Object> asset in StubAssets)
            {
                if (asset.Value == assetObject)
                {
                    return asset.Key;
                }
            }
            return "";
        }

        public static string AssetPathToGUID(string path)
        {
            string meta = Path.Combine(Path.GetDirectoryName(Application.dataPath), path + ".meta");
            if (path.Length > 0 && File.Exists(meta))
            {
                foreach (string line in File.ReadAllLines(meta))
                {
                    if (line.StartsWith("guid: ", StringComparison.Ordinal))
                    {
                        return line.Substring(6).Trim();
                    }
                }
            }
            return "";
        }

        public static string GUIDToAssetPath(string guid)
        {
            foreach (KeyValuePair<string, Object> asset in StubAssets)
            {
                if (AssetPathToGUID(asset.Key) == guid)
                {
                    return asset.Key;
                }
            }
            return "";
        }

        public static bool IsValidFolder(string path) =>
            Directory.Exists(Path.Combine(Path.GetDirectoryName(Application.dataPath), path));

        /// <summary>GUIDs of assets in folders; the stub knows no filter.</summary>
        public static string[] FindAssets(string filter, string[] searchInFolders)
        {
            var found = new List<string>();
            foreach (string path in StubAssets.Keys)
            {
                if (path.StartsWith(searchInFolders[0] + "/", StringComparison.Ordinal))
                {
                    found.Add(AssetPathToGUID(path));
                }
            }
            return found.ToArray();
        }

        public static Texture GetCachedIcon(string path) =>
            StubAssets.ContainsKey(path) ? new Texture2D { name = "icon of " + path } : null;

        public static Object LoadMainAssetAtPath(string assetPath)
        {
            StubAssets.TryGetValue(assetPath, out Object found);
            return found;
        }

        public static T LoadAssetAtPath<T>(string assetPath) where T : Object => LoadMainAssetAtPath(assetPath) as T;

        public static Object[] LoadAllAssetsAtPath(string assetPath) => new Object[0];

        public static string CreateFolder(string parentFolder, string newFolderName) => "";

        public static bool DeleteAsset(string path) => false;

        public static void ImportAsset(string path, ImportAssetOptions options)
        {
        }

        public static bool OpenAsset(Object target)
        {
            StubOpened = target;
            return true;
        }
    }

    [Flags]
    public enum ImportAssetOptions
    {
        Default = 0,
        ForceUpdate = 1,
    }

    public enum SerializationMode
    {
        Mixed,
        ForceBinary,
        ForceText,
    }

    public static class EditorSettings
    {
        public static SerializationMode serializationMode => SerializationMode.ForceText;
    }

    public static class EditorApplication
    {
        public static bool ExecuteMenuItem(string menuItemPath) => false;

        public delegate void CallbackFunction();

        public static CallbackFunction update;
        public static CallbackFunction delayCall;

        public static event Action quitting;

        public static void StubTick()
        {
            CallbackFunction delayed = delayCall;
            delayCall = null;
            delayed?.Invoke();
            update?.Invoke();
        }

        public static void StubQuit() => quitting?.Invoke();
    }

    public static class AssemblyReloadEvents
    {
        public delegate void AssemblyReloadCallback();

        public static event AssemblyReloadCallback beforeAssemblyReload;

        public static void StubReload() => beforeAssemblyReload?.Invoke();
    }

    public static class EditorPrefs
    {
        private static readonly Dictionary<string, object> Held = new Dictionary<string, object>();

        public static string GetString(string key, string defaultValue) =>
            Held.TryGetValue(key, out object found) ? (string)found : defaultValue;

        public static void SetString(string key, string value) => Held[key] = value;

        public static bool GetBool(string key, bool defaultValue) =>
            Held.TryGetValue(key, out object found) ? (bool)found : defaultValue;

        public static void SetBool(string key, bool value) => Held[key] = value;
    }

    public static class SessionState
    {
        private static readonly HashSet<string> Held = new HashSet<string>();

        public static bool GetBool(string key, bool defaultValue) => Held.Contains(key) || defaultValue;

        public static void SetBool(string key, bool value)
        {
            if (value)
            {
                Held.Add(key);
            }
            else
            {
                Held.Remove(key);
            }
        }
    }

    public static class EditorGUIUtility
    {
        public static bool isProSkin { get; set; }

        public static string systemCopyBuffer { get; set; } = "";

        public static Object StubPinged { get; private set; }

        public static void PingObject(Object obj) => StubPinged = obj;
    }

    public static class EditorUtility
    {
        public static bool IsPersistent(Object target) => AssetDatabase.StubIds.ContainsKey(target);

        /// <summary>What was asked, and what is answered: 0 for ok, 1 for cancel, 2 for the third button.</summary>
        public static List<string> StubAsked { get; } = new List<string>();

        public static int StubAnswer { get; set; }

        public static int DisplayDialogComplex(string title, string message, string ok, string cancel, string alt)
        {
            StubAsked.Add(message);
            return StubAnswer;
        }

        public static List<string> StubProgress { get; } = new List<string>();

        public static bool StubCancels { get; set; }

        public static bool DisplayCancelableProgressBar(string title, string info, float progress)
        {
            StubProgress.Add(info);
            return StubCancels;
        }

        public static void ClearProgressBar() => StubProgress.Add("cleared");
    }

    public static class Selection
    {
        public static Object activeObject { get; set; }

        public static Object[] objects { get; set; } = new Object[0];

        public static string[] assetGUIDs { get; set; } = new string[0];

        public static GameObject activeGameObject => activeObject as GameObject;

        public static GameObject[] gameObjects
        {
            get
            {
                var found = new List<GameObject>();
                foreach (Object selected in objects)
                {
                    if (selected is GameObject typed)
                    {
                        found.Add(typed);
                    }
                }
                return found.ToArray();
            }
        }
    }

    public static class PrefabUtility
    {
        public static Dictionary<Object, Object> StubSources { get; } = new Dictionary<Object, Object>();

        public static TObject GetCorrespondingObjectFromSource<TObject>(TObject componentOrGameObject)
            where TObject : Object
        {
            StubSources.TryGetValue(componentOrGameObject, out Object found);
            return found as TObject;
        }

        public static GameObject SaveAsPrefabAsset(GameObject instanceRoot, string assetPath) => null;

        public static Object InstantiatePrefab(Object assetComponentOrGameObject) => null;

        public static bool IsAnyPrefabInstanceRoot(GameObject gameObject) => StubSources.ContainsKey(gameObject);

        public static Object GetPrefabInstanceHandle(Object instanceComponentOrGameObject) => null;
    }

    public enum InspectorMode
    {
        Normal,
        Debug,
        DebugInternal,
    }

    public sealed class SerializedProperty
    {
        public long longValue { get; set; }
    }

    public sealed class SerializedObject : IDisposable
    {
        private readonly Object target;

        public SerializedObject(Object obj)
        {
            target = obj;
        }

        /// <summary>FileIDs as files have them, which only the debug mode of the inspector shows.</summary>
        public static Dictionary<Object, long> StubWrittenIds { get; } = new Dictionary<Object, long>();

        internal InspectorMode inspectorMode { get; set; }

        public SerializedProperty FindProperty(string propertyPath)
        {
            bool isKnown = StubWrittenIds.TryGetValue(target, out long id) && inspectorMode == InspectorMode.Debug;
            return isKnown && propertyPath == "m_LocalIdentfierInFile" ? new SerializedProperty { longValue = id } : null;
        }

        public void Dispose()
        {
        }
    }

    public class EditorWindow : ScriptableObject
    {
        public UnityEngine.UIElements.VisualElement rootVisualElement { get; } =
            new UnityEngine.UIElements.VisualElement();

        public GUIContent titleContent { get; set; } = new GUIContent("");

        public Vector2 minSize { get; set; }

        public void Show()
        {
            if (rootVisualElement.StubChildren.Count == 0)
            {
                GetType().GetMethod("CreateGUI")?.Invoke(this, null);
            }
        }

        public void Focus()
        {
        }

        public void Close()
        {
        }
    }

    public class SceneView : EditorWindow
    {
    }

    public enum SettingsScope
    {
        User,
        Project,
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class SettingsProviderAttribute : Attribute
    {
    }

    public class SettingsProvider
    {
        public SettingsProvider(string path, SettingsScope scopes, IEnumerable<string> keywords = null)
        {
            settingsPath = path;
            scope = scopes;
            this.keywords = keywords;
        }

        public string settingsPath { get; }

        public SettingsScope scope { get; }

        public string label { get; set; }

        public IEnumerable<string> keywords { get; set; }

        public virtual void OnActivate(string searchContext, UnityEngine.UIElements.VisualElement rootElement)
        {
        }

        public virtual void OnDeactivate()
        {
        }
    }

    public static class SettingsService
    {
        public static string StubOpened { get; private set; }

        public static EditorWindow OpenProjectSettings(string settingsPath)
        {
            StubOpened = settingsPath;
            return null;
        }
    }
}

namespace UnityEditorInternal
{
    public static class InternalEditorUtility
    {
        public static string StubOpened { get; private set; }

        public static bool OpenFileAtLineExternal(string filename, int line)
        {
            StubOpened = filename + ":" + line;
            return true;
        }
    }
}
