using System.IO;
using System.Linq;
using AssetDb.Connection;
using AssetDb.EditorIntegration;
using AssetDb.Protocol;
using NUnit.Framework;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace AssetDb.UnityTests
{
    /// <summary>The fileIDs that the package derives from objects of the editor are those that the editor writes.</summary>
    public sealed class FileIdTests : TemporaryAssets
    {
        private const string Gone = "0123456789abcdef0123456789abcdef";

        [Test]
        public void ObjectsOfASceneHaveTheAnchorsOfItsFile()
        {
            var root = new GameObject("Root");
            root.AddComponent<Camera>();
            new GameObject("Child").transform.SetParent(root.transform);
            ScannedFile file = Scan(Save());
            Subject subject = Subjects.OfHierarchy(root);
            Assert.That(subject.LocalIds.Count, Is.EqualTo(5), "two GameObjects, two Transforms, a Camera");
            Assert.That(subject.LocalIds.All(file.Objects.Contains), Is.True);
        }

        [Test]
        public void ObjectsOfAnOpenPrefabHaveTheAnchorsOfItsFile()
        {
            string path = SavePrefab();
            AssetDatabase.OpenAsset(AssetDatabase.LoadMainAssetAtPath(path));
            PrefabStage stage = PrefabStageUtility.GetCurrentPrefabStage();
            Assert.That(stage != null, Is.True, "the prefab did not open");
            Subject subject = Subjects.OfGameObject(stage.prefabContentsRoot);
            ScannedFile file = Scan(path);
            Assert.That(subject.LocalIds.Count, Is.EqualTo(2), "the GameObject and its Transform");
            Assert.That(subject.LocalIds.All(file.Objects.Contains), Is.True);
        }

        [Test]
        public void AnObjectOfAPrefabInstanceHasItsStrippedFileIdAndIsFoundByIt()
        {
            Transform wheel = Instantiate(SavePrefab()).transform.GetChild(0);
            new GameObject("Added").transform.SetParent(wheel);
            string path = Save();
            FileReference father = Scan(path).References.Single(found => found.Property == "m_Father" && found.FileId != 0);
            Assert.That(Subjects.OfComponent(wheel).LocalIds, Contains.Item(father.FileId));
            StrippedObject stripped = StrippedObject.Read(path, father.FileId);
            Assert.That(stripped != null, Is.True, "the scene has no stripped Transform of this fileID");
            Assert.That(ReferenceScanner.StrippedId((ulong)stripped.Source, (ulong)stripped.Instance), Is.EqualTo(father.FileId));
            Assert.That(ObjectOpener.Ping(new ResultNode("Wheel", "", path, father.FileId, 1)), Is.True);
            Assert.That(Selection.activeObject == wheel, Is.True, "another object was selected");
        }

        [Test]
        public void AnObjectOfASceneIsFoundByItsFileId()
        {
            var root = new GameObject("Root");
            string path = Save();
            long fileId = Subjects.Identity(root).FileId;
            Assert.That(ObjectOpener.Ping(new ResultNode("Root", "", path, fileId, 1)), Is.True);
            Assert.That(Selection.activeObject == root, Is.True, "another object was selected");
        }

        [Test]
        public void AComponentWhoseScriptIsMissingIsFoundInTheFile()
        {
            new GameObject("Root").AddComponent<Camera>();
            string path = Save();
            FileReference camera = Scan(path).References.Last(found => found.Property.StartsWith("m_Component["));
            string line = "  - component: {fileID: " + camera.FileId + "}\n";
            string text = File.ReadAllText(path).Replace("\r\n", "\n");
            Assert.That(text.Contains(line), Is.True);
            text = text.Replace(line, line + "  - component: {fileID: 77}\n");
            string script = "--- !u!114 &77\nMonoBehaviour:\n  m_GameObject: {fileID: " + camera.ObjectId + "}\n  m_Enabled: 1\n"
                + "  m_Script: {fileID: 11500000, guid: " + Gone + ", type: 3}\n";
            int roots = text.IndexOf("--- !u!1660057539"); // SceneRoots, which newer editors write at the end
            File.WriteAllText(path, roots < 0 ? text + script : text.Insert(roots, script));
            EditorSceneManager.NewScene(NewSceneSetup.EmptyScene, NewSceneMode.Single);
            AssetDatabase.ImportAsset(path, ImportAssetOptions.ForceUpdate);
            Scene scene = EditorSceneManager.OpenScene(path, OpenSceneMode.Single);
            GameObject root = scene.GetRootGameObjects().Single();
            Assert.That(root.GetComponents<Component>().Count(component => component == null), Is.EqualTo(1));
            var missing = new MissingReferences(path, "", Scan(path), Subjects.OfHierarchy(root).LocalIds);
            Assert.That(missing.Queries, Contains.Item(Gone + ":11500000"));
        }

        private static GameObject Instantiate(string path)
        {
            return (GameObject)PrefabUtility.InstantiatePrefab(AssetDatabase.LoadMainAssetAtPath(path));
        }
    }
}
