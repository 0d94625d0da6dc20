using System.IO;
using AssetDb.EditorIntegration;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;
using UnityEngine.UIElements;

namespace AssetDb.UnityTests
{
    /// <summary>The editor knows the menus, pages and style sheets of the package.</summary>
    public sealed class EditorHookTests : TemporaryAssets
    {
        private const string Sheet = "Packages/com.assetdb.unity/Editor/Integration/Styles/AssetDb.uss";

        [Test]
        public void TheSessionKnowsTheProject()
        {
            Assert.That(EditorSession.Root, Is.EqualTo(Path.GetDirectoryName(Application.dataPath)));
            Assert.That(EditorSession.State != null, Is.True);
        }

        [Test]
        public void TheStyleSheetIsImported()
        {
            Assert.That(AssetDatabase.LoadAssetAtPath<StyleSheet>(Sheet) != null, Is.True);
        }

        [Test]
        public void AMenuItemCopiesTheGuidOfTheSelectedAsset()
        {
            string path = SavePrefab();
            Selection.activeObject = AssetDatabase.LoadMainAssetAtPath(path);
            string before = EditorGUIUtility.systemCopyBuffer;
            try
            {
                Assert.That(EditorApplication.ExecuteMenuItem("Assets/Copy GUID (assetdb)"), Is.True);
                Assert.That(EditorGUIUtility.systemCopyBuffer, Is.EqualTo(AssetDatabase.AssetPathToGUID(path)));
                Assert.That(EditorApplication.ExecuteMenuItem("Assets/Copy reference (assetdb)"), Is.True);
                Assert.That(EditorGUIUtility.systemCopyBuffer.EndsWith(", type: 3}"), Is.True, "prefabs are imported");
            }
            finally
            {
                EditorGUIUtility.systemCopyBuffer = before;
            }
        }

        [Test]
        public void TheSettingsPageAndAWindowOpen()
        {
            Assume.That(Application.isBatchMode, Is.False, "there are no windows in batch mode");
            EditorWindow settings = SettingsService.OpenProjectSettings(SettingsPage.Path);
            Assert.That(settings != null, Is.True);
            settings.Close();
            ResultsWindow.Say("assetdb test", "A message.");
            foreach (ResultsWindow window in Resources.FindObjectsOfTypeAll<ResultsWindow>())
            {
                if (window.titleContent.text == "assetdb test")
                {
                    Assert.That(window.rootVisualElement.childCount, Is.GreaterThan(0));
                    window.Close();
                    return;
                }
            }
            Assert.Fail("no window opened");
        }
    }
}
