// The part of UnityEditor.SceneManagement that the package and its tests use; see UnityEngine.cs.
using System;
using System.Collections.Generic;
using UnityEngine;

namespace UnityEditor.SceneManagement
{
    using UnityEngine.SceneManagement;

    public static class EditorSceneManager
    {
        public delegate void SceneSavedCallback(Scene scene);

        public static event SceneSavedCallback sceneSaved;

        public static Scene NewScene(NewSceneSetup setup, NewSceneMode mode) => new Scene("", true);

        public static Scene OpenScene(string scenePath, OpenSceneMode mode) => new Scene(scenePath, true);

        public static bool SaveScene(Scene scene, string dstScenePath) => false;

        public static void StubSave(Scene scene) => sceneSaved?.Invoke(scene);
    }

    public enum NewSceneSetup
    {
        EmptyScene,
        DefaultGameObjects,
    }

    public enum NewSceneMode
    {
        Single,
        Additive,
    }

    public enum OpenSceneMode
    {
        Single,
        Additive,
    }

    public static class StageUtility
    {
        public static void GoToMainStage()
        {
        }
    }

    public sealed class PrefabStage : ScriptableObject
    {
        public GameObject prefabContentsRoot { get; set; }

        public static event Action<GameObject> prefabSaved;

        public string assetPath { get; set; }

        public static void StubSave(GameObject root) => prefabSaved?.Invoke(root);
    }

    public static class PrefabStageUtility
    {
        public static Dictionary<GameObject, PrefabStage> StubStages { get; } = new Dictionary<GameObject, PrefabStage>();

        public static PrefabStage GetPrefabStage(GameObject gameObject)
        {
            StubStages.TryGetValue(gameObject, out PrefabStage found);
            return found;
        }

        public static PrefabStage StubCurrent { get; set; }

        public static PrefabStage GetCurrentPrefabStage() => StubCurrent;
    }
}
