using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using AssetDb.Connection;
using AssetDb.EditorIntegration;
using AssetDb.Protocol;
using NUnit.Framework;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.UIElements;

namespace AssetDb.Tests
{
    /// <summary>The windows, menus and hooks against stubs of Unity's API, with a fake daemon for the project.</summary>
    [TestFixture]
    public sealed partial class EditorIntegrationTests
    {
        private const string Guid = "4da1de0e3f88a2099ed539d1638f3eb8";
        private const string SceneGuid = "a1648f263062dbeeef430dc2562ffc5b";
        private const string Usages = "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"query\":\"x\",\"name\":\"Red\",\"usages\":[{\"path\":\"Assets/A.prefab\",\"type\":\"Prefab\"}],"
            + "\"objects\":[{\"path\":\"Assets/A.prefab\",\"line\":3,\"object_id\":9,\"hierarchy\":\"A / Body\",\"class\":\"MeshRenderer\",\"property\":\"m_Materials[0]\"}],\"unread_files\":1}}\n";
        private const string Status = "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"version\":\"0.1.0\",\"pid\":5,\"root\":\"ROOT\",\"assets\":9,\"problems\":0,\"watch\":{\"pending\":false,\"problem\":\"\"}}}\n";

        private const string Traced = "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"rows\":[{\"query\":\"x\",\"guid\":\"" + Guid + "\",\"path\":\"Assets/Red.mat\","
            + "\"catalog\":[{\"address\":\"red\",\"labels\":[\"ui\"],\"bundle\":\"red.bundle\",\"bundle_size\":1200}],"
            + "\"layout\":[{\"bundle\":\"other.bundle\",\"size\":7,\"used_by\":[\"Assets/A.prefab\"]}],\"state\":[{\"bundle\":\"old.bundle\",\"size\":7}],"
            + "\"parts\":[{\"part\":\"sharedassets0.assets\",\"size\":888,\"why\":\"scene\",\"root\":\"Assets/Main.unity\",\"way\":[\"Head\",\"Red\"],"
            + "\"objects\":[{\"path_id\":15,\"class\":\"Material\",\"name\":\"Red\",\"certainty\":\"unique\"}]}]}],"
            + "\"problems\":[\"level0: is cut off\"],\"complete\":true}}\n";

        private FakeDaemon daemon;
        private volatile string traced;

        [TestFixtureSetUp]
        public void OpenTheProject()
        {
            daemon = new FakeDaemon(Answer);
            Application.dataPath = Path.Combine(daemon.Folder, "Assets");
            Directory.CreateDirectory(Application.dataPath);
            var locator = new DaemonLocator(daemon.Folder);
            Directory.CreateDirectory(locator.OutputFolder());
            File.WriteAllText(Path.Combine(locator.OutputFolder(), DaemonAddress.FileName), daemon.Status);
            File.WriteAllText(
                Path.Combine(daemon.Folder, "Assets/Main.unity"),
                "%YAML 1.1\n--- !u!1 &500\nGameObject:\n  m_Component:\n  - component: {fileID: 501}\n--- !u!4 &501\nTransform:\n--- !u!114 &700\nMonoBehaviour:\n"
                + "  target: {fileID: 500}\n  lost: {fileID: 12}\n  icon: {fileID: 3, guid: " + Guid + ", type: 3}\n");
            File.WriteAllText(Path.Combine(daemon.Folder, "Assets/Main.unity.meta"), "fileFormatVersion: 2\nguid: " + SceneGuid + "\n");
            File.WriteAllText(Path.Combine(daemon.Folder, "Assets/Red.mat.meta"), "fileFormatVersion: 2\nguid: " + Guid + "\nNativeFormatImporter:\n");
            // As the editor does it with [InitializeOnLoad] and [InitializeOnLoadMethod].
            System.Runtime.CompilerServices.RuntimeHelpers.RunClassConstructor(typeof(EditorSession).TypeHandle);
            Invoke(typeof(SaveHooks), "Register");
            var red = new UnityEngine.Object { name = "Red" };
            AssetDatabase.StubAssets["Assets/Red.mat"] = red;
            AssetDatabase.StubIds[red] = new KeyValuePair<string, long>(Guid, 2100000);
            AssetDatabase.StubAssets["Assets/A.prefab"] = new UnityEngine.Object { name = "A" };
        }

        [TestFixtureTearDown]
        public void CloseTheProject()
        {
            AssemblyReloadEvents.StubReload();
            daemon.Dispose();
            Assert.That(Debug.StubExceptions, Is.Empty);
        }

        [Test]
        public void ImportsAndSavesAreToldInOrder()
        {
            Invoke(typeof(ChangePostprocessor), "OnPostprocessAllAssets",
                new[] { "Assets/New.mat" }, new[] { "Assets/Gone.mat" }, new[] { "Assets/To.mat" }, new[] { "Assets/From.mat" });
            WaitForChange("\"Assets/New.mat\",\"Assets/Gone.mat\",\"Assets/To.mat\",\"Assets/From.mat\"");
            var saved = new[] { "Assets/Saved.asset" };
            Assert.That(Invoke(typeof(SaveHooks), "OnWillSaveAssets", new object[] { saved }), Is.SameAs(saved));
            EditorSceneManager.StubSave(new UnityEngine.SceneManagement.Scene("Assets/Level.unity", true));
            var root = new GameObject();
            PrefabStageUtility.StubStages[root] = new PrefabStage { assetPath = "Assets/Open.prefab" };
            PrefabStage.StubSave(root);
            EditorApplication.StubTick(); // what was to be saved is saved by now
            foreach (string path in new[] { "Assets/Saved.asset", "Assets/Level.unity", "Assets/Open.prefab" })
            {
                WaitForChange(path);
            }
        }

        [Test]
        public void UsagesOfAnAsset()
        {
            Selection.activeObject = AssetDatabase.StubAssets["Assets/Red.mat"];
            Choose("Assets/Find usages (assetdb)");
            ResultsWindow window = Window("Usages");
            Wait(() => Rows(window).Length == 3);
            Assert.That(daemon.Lines.Last(line => line.Contains("usages")), Is.StringContaining("{\"query\":\"" + Guid + "\",\"objects\":true}"));
            Assert.That(Rows(window), Is.EqualTo(new[] { "Assets/A.prefab", "A / Body", "m_Materials[0]" }));
            Assert.That(Message(window), Is.EqualTo("usages of Red: 1 (1 file could not be read, and may refer to it as well)"));

            ListView list = Part<ListView>(window);
            list.StubRows[2].StubSend(new PointerDownEvent { clickCount = 1 });
            Assert.That(AssetDatabase.StubOpened, Is.Null);
            list.StubRows[2].StubSend(new PointerDownEvent { clickCount = 2 });
            Assert.That(AssetDatabase.StubOpened, Is.SameAs(AssetDatabase.StubAssets["Assets/A.prefab"]));
            Assert.That(EditorGUIUtility.StubPinged, Is.SameAs(AssetDatabase.StubAssets["Assets/A.prefab"]));

            list.StubSend(new KeyDownEvent { keyCode = KeyCode.C, actionKey = true });
            Assert.That(EditorGUIUtility.systemCopyBuffer.Split('\n')[0], Is.StringStarting("Assets/A.prefab"));

            list.selectedIndex = 0;
            list.StubSend(new KeyDownEvent { keyCode = KeyCode.LeftArrow });
            Assert.That(Rows(window), Is.EqualTo(new[] { "Assets/A.prefab" }));
            list.StubRows[0].StubChildren[0].StubSend(new PointerDownEvent { clickCount = 1 });
            Assert.That(Rows(window).Length, Is.EqualTo(3), "the arrow opens it again");
            Part<UnityEditor.UIElements.ToolbarSearchField>(window, true).value = "nowhere";
            Assert.That(Rows(window), Is.Empty);
            Part<UnityEditor.UIElements.ToolbarSearchField>(window, true).value = "";
        }

        [Test]
        public void SeveralAssetsAreAskedForAtOnce()
        {
            UnityEngine.Object red = AssetDatabase.StubAssets["Assets/Red.mat"];
            Selection.activeObject = red;
            Selection.objects = new[] { red, red };
            try
            {
                Choose("Assets/Find usages (assetdb)");
                ResultsWindow window = Window("Usages");
                Wait(() => Rows(window).Length == 8);
                var each = new[] { "Red", "Assets/A.prefab", "A / Body", "m_Materials[0]" };
                Assert.That(Rows(window), Is.EqualTo(each.Concat(each).ToArray()));
                Assert.That(Message(window), Is.StringStarting("usages of 2 assets: 2"));
            }
            finally
            {
                Selection.objects = new UnityEngine.Object[0];
            }
        }

        [Test]
        public void AnObjectOfAnOpenPrefabIsSelectedThere()
        {
            GameObject root = Camera();
            Component component = root.StubComponents[0];
            SerializedObject.StubWrittenIds[root] = 7;
            SerializedObject.StubWrittenIds[component] = 8;
            PrefabStageUtility.StubCurrent = new PrefabStage { assetPath = "Assets/A.prefab", prefabContentsRoot = root };
            try
            {
                Assert.That(ObjectOpener.Ping(new ResultNode("x", "", "Assets/A.prefab", 8)), Is.True);
                Assert.That(Selection.activeObject, Is.SameAs(component));
                Assert.That(ObjectOpener.Ping(new ResultNode("x", "", "Assets/A.prefab", 7)), Is.True);
                Assert.That(Selection.activeObject, Is.SameAs(root));
                PrefabStageUtility.StubCurrent.assetPath = "Assets/Other.prefab";
                Assert.That(ObjectOpener.Ping(new ResultNode("x", "", "Assets/A.prefab", 7)), Is.True);
                Assert.That(Selection.activeObject, Is.SameAs(AssetDatabase.StubAssets["Assets/A.prefab"]));
            }
            finally
            {
                PrefabStageUtility.StubCurrent = null;
                SerializedObject.StubWrittenIds.Clear();
            }
        }

        [Test]
        public void ResultsAreThereAfterAReloadOfTheScripts()
        {
            Selection.activeObject = AssetDatabase.StubAssets["Assets/Red.mat"];
            Choose("Assets/Find usages (assetdb)");
            ResultsWindow window = Window("Usages");
            Wait(() => Rows(window).Length == 3);
            // The editor makes the window anew and gives it the fields that are marked, and no others.
            ResultsWindow reloaded = ScriptableObject.CreateInstance<ResultsWindow>();
            reloaded.titleContent = new GUIContent("Usages after a reload");
            foreach (FieldInfo field in typeof(ResultsWindow).GetFields(BindingFlags.NonPublic | BindingFlags.Instance))
            {
                if (field.IsDefined(typeof(SerializeField), false))
                {
                    field.SetValue(reloaded, field.GetValue(window));
                }
            }
            reloaded.CreateGUI();
            Assert.That(Rows(reloaded), Is.EqualTo(new[] { "Assets/A.prefab", "A / Body", "m_Materials[0]" }));
            Assert.That(Message(reloaded), Is.EqualTo(Message(window)));
        }

        [Test]
        public void UsagesOfAGameObjectAreThoseInItsSceneToo()
        {
            GameObject camera = Camera();
            Selection.activeObject = camera;
            Selection.objects = new UnityEngine.Object[] { camera };
            Choose("GameObject/Find usages (assetdb)", new MenuCommand(camera));
            ResultsWindow window = Window("Usages");
            Wait(() => Message(window) == "usages of Camera: 1");
            Assert.That(Rows(window), Is.EqualTo(new[] { "Assets/Main.unity", "Main.unity / Lamp (Light)", "target" }));
            Choose("CONTEXT/Component/Find usages (assetdb)", new MenuCommand(camera.StubComponents[0]));
            Wait(() => Message(window) == "Nothing refers to Camera (Transform).");
        }

        [Test]
        public void MissingReferencesOfASceneFile()
        {
            var scene = new UnityEngine.Object { name = "Main" };
            AssetDatabase.StubAssets["Assets/Main.unity"] = scene;
            Selection.objects = new[] { scene };
            Choose("Assets/Missing references (assetdb)");
            ResultsWindow window = Window("Missing References");
            Wait(() => Rows(window).Length > 0);
            Assert.That(Rows(window), Is.EqualTo(new[]
            {
                "Assets/Main.unity", "Main.unity / Lamp (Light)", "lost: an object of this file", "icon: Assets/Lost.png &3",
            }));
        }

        [Test]
        public void MissingScriptsOfAGameObject()
        {
            const string guid = "b1648f263062dbeeef430dc2562ffc5b";
            File.WriteAllText(
                Path.Combine(daemon.Folder, "Assets/Broken.unity"),
                "%YAML 1.1\n--- !u!1 &500\nGameObject:\n  m_Component:\n  - component: {fileID: 501}\n  - component: {fileID: 502}\n"
                + "--- !u!4 &501\nTransform:\n--- !u!114 &502\nMonoBehaviour:\n  m_GameObject: {fileID: 500}\n"
                + "  m_Script: {fileID: 11500000, guid: " + Guid + ", type: 3}\n");
            File.WriteAllText(Path.Combine(daemon.Folder, "Assets/Broken.unity.meta"), "fileFormatVersion: 2\nguid: " + guid + "\n");
            GameObject camera = Camera("Assets/Broken.unity");
            Selection.activeObject = camera;
            Selection.objects = new UnityEngine.Object[] { camera };
            Choose("GameObject/Missing references (assetdb)", new MenuCommand(camera));
            ResultsWindow window = Window("Missing References");
            Wait(() => Rows(window).Length > 0);
            Assert.That(Rows(window).Last(), Is.EqualTo("m_Script: Assets/Lost.png &11500000"));
        }

        [Test]
        public void WhatCannotBeLookedThroughIsSaid()
        {
            GameObject camera = Camera("Assets/Binary.unity");
            File.WriteAllText(Path.Combine(daemon.Folder, "Assets/Binary.unity"), "UnityFS");
            Selection.activeObject = camera;
            Selection.objects = new UnityEngine.Object[] { camera };
            Choose("GameObject/Missing references (assetdb)", new MenuCommand(camera));
            ResultsWindow window = Window("Missing References");
            Wait(() => Message(window).Contains("Assets/Binary.unity is not text"));
            Choose("GameObject/Find usages (assetdb)", new MenuCommand(camera));
            Wait(() => Message(Window("Usages")).Contains("Assets/Binary.unity is not text"));
            File.Delete(Path.Combine(daemon.Folder, "Assets/Binary.unity"));
            Choose("GameObject/Find usages (assetdb)", new MenuCommand(camera));
            Wait(() => Message(Window("Usages")).Contains("Assets/Binary.unity cannot be read"));

            var made = new GameObject { name = "Made", scene = new UnityEngine.SceneManagement.Scene("Assets/Main.unity", true) };
            Selection.activeObject = made;
            Selection.objects = new UnityEngine.Object[] { made };
            Choose("GameObject/Missing references (assetdb)", new MenuCommand(made));
            Wait(() => Message(window).Contains("Made has not been saved"));
            Assert.That(Rows(window), Is.Empty, "not those of the whole file");
        }

        [Test]
        public void AnObjectOfAPrefabInstanceIsPinged()
        {
            File.WriteAllText(
                Path.Combine(daemon.Folder, "Assets/Main2.unity"),
                "%YAML 1.1\n--- !u!4 &900 stripped\nTransform:\n  m_CorrespondingSourceObject: {fileID: 4, guid: " + Guid + ", type: 3}\n"
                + "  m_PrefabInstance: {fileID: 77}\n");
            File.WriteAllText(Path.Combine(daemon.Folder, "Assets/Main2.unity.meta"), "fileFormatVersion: 2\nguid: " + SceneGuid + "\n");
            var wheel = new UnityEngine.Object { name = "Wheel" };
            GlobalObjectId.StubLoaded["GlobalObjectId_V1-2-" + SceneGuid + "-4-77"] = wheel;
            Assert.That(ObjectOpener.Ping(new ResultNode("Wheel", "", "Assets/Main2.unity", 900, 2)), Is.True);
            Assert.That(EditorGUIUtility.StubPinged, Is.SameAs(wheel));
            var own = new UnityEngine.Object { name = "Own" };
            GlobalObjectId.StubLoaded["GlobalObjectId_V1-2-" + SceneGuid + "-901-0"] = own;
            Assert.That(ObjectOpener.Ping(new ResultNode("Own", "", "Assets/Main2.unity", 901, 2)), Is.True);
            Assert.That(EditorGUIUtility.StubPinged, Is.SameAs(own));
            Assert.That(ObjectOpener.Ping(new ResultNode("Gone", "", "Assets/Main2.unity", 902, 2)), Is.False);
        }

        [Test]
        public void WhyItIsInTheBuild()
        {
            Selection.activeObject = AssetDatabase.StubAssets["Assets/Red.mat"];
            UserPreferences.Builds = "";
            Choose("Assets/Why is this in the build (assetdb)");
            ResultsWindow window = Window("Why in the Build");
            Assert.That(Message(window), Is.EqualTo(TraceQuestion.NoBuilds));

            traced = Traced;
            UserPreferences.Builds = " Builds/Game_Data ; /elsewhere/ServerData;";
            Choose("Assets/Why is this in the build (assetdb)");
            Wait(() => Rows(window).Length > 0);
            Assert.That(
                daemon.Lines.Last(line => line.Contains("\"trace\"")),
                Is.StringContaining("{\"queries\":[\"" + Guid + "\"],\"builds\":[\"" + daemon.Folder
                    + "/Builds/Game_Data\",\"/elsewhere/ServerData\"]}"));
            Assert.That(Rows(window), Is.EqualTo(new[]
            {
                "sharedassets0.assets", "scene Assets/Main.unity", "Head", "Red", "Red #15", "red", "red.bundle", "ui", "other.bundle",
                "Assets/A.prefab", "old.bundle",
            }));
            Assert.That(Message(window), Is.EqualTo("why Red is in the build: 4 (level0: is cut off)"));

            traced = "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"rows\":[{\"query\":\"x\",\"parts\":[],\"catalog\":[]}],\"problems\":[],\"complete\":true}}\n";
            Choose("Assets/Why is this in the build (assetdb)");
            Wait(() => Message(window) == "No build has Red.");
            traced = "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"rows\":[7]}}\n";
            Choose("Assets/Why is this in the build (assetdb)");
            Wait(() => Message(window).Contains("rows"));
            traced = null;
        }

        [Test]
        public void TheTeamsBuildsHoldWhereTheUserHasNone()
        {
            Directory.CreateDirectory(Path.Combine(daemon.Folder, "ProjectSettings"));
            string file = Path.Combine(daemon.Folder, TeamDefaults.FileName);
            UserPreferences.Builds = "";
            var page = (SettingsProvider)Invoke(typeof(SettingsPage), "Create");
            var root = new VisualElement();
            page.OnActivate("", root);
            TextField team = root.StubChildren.OfType<TextField>().Single(field => field.name == "team");
            Label problem = root.StubChildren.OfType<Label>().Single(label => label.name == "team-problem");
            team.value = " Builds/Linux ; ServerData";
            Assert.That(problem.text, Is.Empty);
            Assert.That(File.ReadAllText(file), Is.EqualTo("{\"builds\":[\"Builds/Linux\",\"ServerData\"]}\n"));
            Assert.That(UserPreferences.BuildsOrTeams, Is.EqualTo("Builds/Linux;ServerData"));
            UserPreferences.Builds = "Mine";
            Assert.That(UserPreferences.BuildsOrTeams, Is.EqualTo("Mine"));
            UserPreferences.Builds = "";
            team.value = "/etc";
            Assert.That(problem.text, Is.StringContaining("inside the project, not /etc"));
            Assert.That(UserPreferences.BuildsOrTeams, Is.EqualTo("Builds/Linux;ServerData"));
            File.WriteAllText(file, "{\"builds\": [\"../../home\"]}");
            Selection.activeObject = AssetDatabase.StubAssets["Assets/Red.mat"];
            Choose("Assets/Why is this in the build (assetdb)");
            Assert.That(Message(Window("Why in the Build")), Is.StringContaining("inside the project, not ../../home"));
            team.value = "";
            Assert.That(File.Exists(file), Is.False);
            page.OnDeactivate();
        }

        [Test]
        public void ADaemonThatCannotTraceIsToldPlainly()
        {
            Selection.activeObject = AssetDatabase.StubAssets["Assets/Red.mat"];
            UserPreferences.Builds = "Builds";
            Choose("Assets/Why is this in the build (assetdb)");
            ResultsWindow window = Window("Why in the Build");
            Wait(() => Message(window).Contains("assetdb 0.1.0, which cannot"));
            Assert.That(Message(window), Is.StringContaining("assetdb trace " + Guid));
        }

        [Test]
        public void Copying()
        {
            Selection.objects = new[] { AssetDatabase.StubAssets["Assets/Red.mat"] };
            Choose("Assets/Copy GUID (assetdb)");
            Assert.That(EditorGUIUtility.systemCopyBuffer, Is.EqualTo(Guid));
            Choose("Assets/Copy reference (assetdb)");
            Assert.That(EditorGUIUtility.systemCopyBuffer, Is.EqualTo("{fileID: 2100000, guid: " + Guid + ", type: 2}"));
            GameObject camera = Camera();
            Selection.objects = new UnityEngine.Object[] { camera };
            Choose("GameObject/Copy reference (assetdb)", new MenuCommand(camera));
            Assert.That(EditorGUIUtility.systemCopyBuffer, Is.EqualTo("{fileID: 500, guid: " + SceneGuid + ", type: 3}"));
            Choose("GameObject/Copy GUID (assetdb)", new MenuCommand(new GameObject()));
            Assert.That(EditorGUIUtility.systemCopyBuffer, Is.StringContaining("fileID"), "a call for another of the selected does nothing");
        }

        [Test]
        public void StatusInTheToolbar()
        {
            Wait(() => EditorSession.State.IsRunning);
            var button = new StatusButton();
            button.StubSend(new AttachToPanelEvent());
            Assert.That(button.text, Is.EqualTo("assetdb: ready"));
            Assert.That(button.tooltip, Is.StringContaining("9 assets"));
            button.StubClick();
            Assert.That(SettingsService.StubOpened, Is.EqualTo("Project/assetdb"));
            button.StubSend(new DetachFromPanelEvent());
            Assert.That(new StatusToolbar().StubElementIds, Is.EqualTo(new[] { StatusButton.Id }));
        }

        [TestCase(false, "assetdb-light")]
        [TestCase(true, "assetdb-dark")]
        public void TheSettingsPage(bool isDark, string theme)
        {
            EditorGUIUtility.isProSkin = isDark;
            var page = (SettingsProvider)Invoke(typeof(SettingsPage), "Create");
            Assert.That(page.scope, Is.EqualTo(SettingsScope.Project));
            var root = new VisualElement();
            page.OnActivate("", root);
            Assert.That(root.StubClasses, Contains.Item(theme));
            Toggle starts = root.StubChildren.OfType<Toggle>().Single();
            Assert.That(starts.value, Is.EqualTo(UserPreferences.StartsDaemon));
            starts.value = true;
            Assert.That(UserPreferences.StartsDaemon, Is.True);
            starts.value = false;
            TextField executable = root.StubChildren.OfType<TextField>().First();
            executable.value = " /nowhere/assetdb ";
            Assert.That(UserPreferences.Executable, Is.EqualTo("/nowhere/assetdb"));
            Label state = root.StubChildren.OfType<Label>().Last();
            root.StubChildren.Last().StubChildren.OfType<Button>().First().StubClick();
            Wait(() => state.text.Contains("/nowhere/assetdb is not the absolute path of a file"));
            executable.value = "";
            page.OnDeactivate();
        }

        [Test]
        public void EveryMenuItemIsInOnePlaceAndHasItsCheck()
        {
            var items = typeof(ContextMenus).GetMethods(BindingFlags.Static | BindingFlags.NonPublic)
                .SelectMany(method => method.GetCustomAttributes(typeof(MenuItem), false).Cast<MenuItem>())
                .ToArray();
            string[] actions = items.Where(item => !item.validate).Select(item => item.menuItem).ToArray();
            Assert.That(actions, Is.Unique);
            Assert.That(actions.Length, Is.EqualTo(11));
            Assert.That(
                items.Where(item => item.validate).Select(item => item.menuItem),
                Is.EquivalentTo(actions.Where(action => !action.StartsWith("CONTEXT"))));
            Assert.That(items.Where(item => item.menuItem.StartsWith("GameObject") && !item.validate).Max(item => item.priority), Is.LessThan(50));
        }

        private static GameObject Camera(string path = "Assets/Main.unity")
        {
            var camera = new GameObject { name = "Camera", scene = new UnityEngine.SceneManagement.Scene(path, true) };
            var transform = new Transform { gameObject = camera };
            camera.StubComponents.Add(transform);
            camera.StubComponents.Add(null); // a script that is missing
            GlobalObjectId.StubIds[camera] = new GlobalObjectId { identifierType = 2, targetObjectId = 500 };
            GlobalObjectId.StubIds[transform] = new GlobalObjectId { identifierType = 2, targetObjectId = 501 };
            return camera;
        }

        private string Answer(string line)
        {
            if (line.Contains("\"hello\""))
            {
                return "";
            }
            if (line.Contains("\"status\""))
            {
                return Status;
            }
            if (line.Contains("\"usages\""))
            {
                isSlow.WaitOne();
                return Usages;
            }
            if (line.Contains("\"find\""))
            {
                return Found;
            }
            if (line.Contains("\"trace\"") && traced != null)
            {
                return traced;
            }
            if (line.Contains("\"changed\""))
            {
                return "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"accepted\":1}}\n";
            }
            if (line.Contains("\"resolve\""))
            {
                IEnumerable<string> names = JsonReader.Read(line).Member("params").List("queries").Select(query =>
                    query.Shown().StartsWith(SceneGuid)
                        ? "{\"name\":\"Main.unity / Lamp (Light)\",\"reason\":\"\"}"
                        : "{\"name\":\"\",\"path\":\"Assets/Lost.png\",\"reason\":\"dangling\"}");
                return "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":[" + string.Join(",", names.ToArray()) + "]}\n";
            }
            return "{\"jsonrpc\":\"2.0\",\"id\":ID,\"error\":{\"code\":-32601,\"message\":\"no such method\"}}\n";
        }

        private static object Invoke(Type type, string name, params object[] arguments)
        {
            return type.GetMethod(name, BindingFlags.Static | BindingFlags.NonPublic).Invoke(null, arguments);
        }

        private static void Choose(string item, MenuCommand command = null)
        {
            foreach (MethodInfo method in typeof(ContextMenus).GetMethods(BindingFlags.Static | BindingFlags.NonPublic))
            {
                if (method.GetCustomAttributes(typeof(MenuItem), false).Cast<MenuItem>().Any(found => found.menuItem == item && !found.validate))
                {
                    method.Invoke(null, command == null ? new object[0] : new object[] { command });
                    return;
                }
            }
            Assert.Fail("no menu item " + item);
        }

        private static ResultsWindow Window(string title)
        {
            return Resources.FindObjectsOfTypeAll<ResultsWindow>().Single(window => window.titleContent.text == title);
        }

        private static T Part<T>(EditorWindow window, bool isInToolbar = false) where T : VisualElement
        {
            VisualElement root = isInToolbar ? window.rootVisualElement.StubChildren[0] : window.rootVisualElement;
            return root.StubChildren.OfType<T>().Single();
        }

        private static string Message(EditorWindow window) => Part<Label>(window).text;

        private static string[] Rows(EditorWindow window)
        {
            return Part<ListView>(window).StubRows.Select(row => ((Label)row.StubChildren[2]).text).ToArray();
        }

        private void WaitForChange(string text)
        {
            SenderTests.WaitFor(() => daemon.Lines.Any(line => line.Contains("changed") && line.Contains(text)));
        }

        private static void Wait(Func<bool> isSo)
        {
            SenderTests.WaitFor(() =>
            {
                EditorApplication.StubTick();
                return isSo();
            });
        }
    }
}
