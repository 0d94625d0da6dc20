using System.IO;
using AssetDb.Protocol;
using NUnit.Framework;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace AssetDb.UnityTests
{
    /// <summary>A folder of assets for one test, and an empty scene; both are gone when it ends.</summary>
    public abstract class TemporaryAssets
    {
        private const string Name = "AssetDbPackageTests";

        protected const string Folder = "Assets/" + Name;

        [SetUp]
        public void MakeTheFolder()
        {
            Assume.That(
                EditorSettings.serializationMode,
                Is.EqualTo(SerializationMode.ForceText),
                "Project Settings > Editor > Asset Serialization has to be Force Text");
            Assert.That(Directory.Exists(Folder), Is.False, Folder + " is there: delete it, it is of a test that was killed");
            AssetDatabase.CreateFolder("Assets", Name);
            EditorSceneManager.NewScene(NewSceneSetup.EmptyScene, NewSceneMode.Single);
        }

        [TearDown]
        public void RemoveTheFolder()
        {
            StageUtility.GoToMainStage();
            EditorSceneManager.NewScene(NewSceneSetup.EmptyScene, NewSceneMode.Single);
            AssetDatabase.DeleteAsset(Folder);
        }

        /// <summary>Save the open scene, and return its path.</summary>
        protected static string Save()
        {
            const string path = Folder + "/Scene.unity";
            Assert.That(EditorSceneManager.SaveScene(SceneManager.GetActiveScene(), path), Is.True);
            return path;
        }

        /// <summary>Save a GameObject with a child as a prefab, and return its path.</summary>
        protected static string SavePrefab()
        {
            const string path = Folder + "/Car.prefab";
            var car = new GameObject("Car");
            new GameObject("Wheel").transform.SetParent(car.transform);
            PrefabUtility.SaveAsPrefabAsset(car, path);
            Object.DestroyImmediate(car);
            return path;
        }

        protected static ScannedFile Scan(string path)
        {
            using (var text = new StreamReader(path))
            {
                return ReferenceScanner.Scan(text);
            }
        }
    }
}
