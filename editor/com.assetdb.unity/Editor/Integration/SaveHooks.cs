using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace AssetDb.EditorIntegration
{
    /// <summary>Tells the daemon of files as they are saved: an import follows later, or (scenes) not at all.</summary>
    internal sealed class SaveHooks : AssetModificationProcessor
    {
        [InitializeOnLoadMethod]
        private static void Register()
        {
            EditorSceneManager.sceneSaved += OnSceneSaved;
            PrefabStage.prefabSaved += OnPrefabSaved;
        }

        private static string[] OnWillSaveAssets(string[] paths)
        {
            EditorApplication.delayCall += () => EditorSession.Changed(paths); // they are written after this returns
            return paths;
        }

        private static void OnSceneSaved(Scene scene)
        {
            EditorSession.Changed(new[] { scene.path });
        }

        private static void OnPrefabSaved(GameObject root)
        {
            PrefabStage stage = PrefabStageUtility.GetPrefabStage(root);
            if (stage != null)
            {
                EditorSession.Changed(new[] { stage.assetPath });
            }
        }
    }
}
