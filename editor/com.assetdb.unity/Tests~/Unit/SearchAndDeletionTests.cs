using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using AssetDb.EditorIntegration;
using NUnit.Framework;
using UnityEditor;
using UnityEditor.Search;
using UnityEngine;

namespace AssetDb.Tests
{
    public sealed partial class EditorIntegrationTests
    {
        private const string Found = "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"found\":["
            + "{\"guid\":\"" + Guid + "\",\"file_id\":null,\"name\":\"Red\",\"path\":\"Assets/Red.mat\",\"type\":\"Material\"},"
            + "{\"guid\":\"" + Guid + "\",\"file_id\":7,\"name\":\"Redder\",\"path\":\"Assets/Red.mat\",\"type\":\"\"}],\"total\":2,\"unread_files\":3}}\n";

        /// <summary>Closed, the daemon does not answer who uses something.</summary>
        private readonly ManualResetEvent isSlow = new ManualResetEvent(true);

        [Test]
        public void TheSearchFindsByNameAndType()
        {
            SearchItem[] found = Searched("red t:Material");
            Assert.That(found.Last().label, Is.EqualTo("3 files could not be read, and may have more of these names"));
            found = found.Take(2).ToArray();
            Assert.That(found.Select(item => item.label), Is.EqualTo(new[] { "Red", "Redder" }));
            Assert.That(found.Select(item => item.description), Is.EqualTo(new[] { "Assets/Red.mat  (Material)", "Assets/Red.mat" }));
            Assert.That(found.Select(item => item.id), Is.Unique);
            Assert.That(
                daemon.Lines.Last(line => line.Contains("\"find\"")),
                Is.StringContaining("{\"pattern\":\"*red*\",\"types\":[\"Material\"],\"limit\":1000}"));
            SearchProvider provider = AssetSearch.Create();
            Assert.That(provider.filterId, Is.EqualTo("adb:"));
            Assert.That(provider.toObject(found[1], null), Is.SameAs(AssetDatabase.StubAssets["Assets/Red.mat"]));
            provider.trackSelection(found[1], null);
            Assert.That(EditorGUIUtility.StubPinged, Is.SameAs(AssetDatabase.StubAssets["Assets/Red.mat"]));
            Assert.That(provider.fetchThumbnail(found[0], null).name, Is.EqualTo("icon of Assets/Red.mat"));
            SearchAction usages = AssetSearch.Actions().Single(action => action.StubName == "usages");
            usages.handler(found[0]);
            Wait(() => Rows(Window("Usages")).Length == 3);
        }

        [Test]
        public void TheSearchListsUsersAndSaysWhatWentWrong()
        {
            Assert.That(
                Searched("ref:Assets/Red.mat").Select(item => item.label),
                Is.EqualTo(new[] { "A.prefab", "1 file could not be read, and may refer to it as well" }));
            Assert.That(
                daemon.Lines.Last(line => line.Contains("\"usages\"")), Is.StringContaining("{\"query\":\"Assets/Red.mat\"}"));
            Assert.That(Searched("ref:Assets/Red.mat t:Scene").Single().id, Is.EqualTo("note"));
            Assert.That(Searched(" "), Is.Empty);
            daemon.Drop();
            string status = Path.Combine(new Connection.DaemonLocator(daemon.Folder).OutputFolder(), Protocol.DaemonAddress.FileName);
            string kept = File.ReadAllText(status);
            File.Delete(status);
            try
            {
                Assert.That(Searched("red").Single().label, Is.StringContaining("daemon"));
            }
            finally
            {
                File.WriteAllText(status, kept);
            }
        }

        [Test]
        public void DeletionOfWhatIsUsedIsAskedFor()
        {
            Wait(() => EditorSession.State.IsRunning);
            EditorUtility.StubAsked.Clear();
            EditorUtility.StubAnswer = 1;
            Assert.That(Deleted("Assets/Red.mat"), Is.EqualTo(AssetDeleteResult.DidNotDelete), "nothing is selected: a script deletes it");
            Assert.That(EditorUtility.StubAsked, Is.Empty);

            Selection.assetGUIDs = new[] { Guid };
            Assert.That(Deleted("Assets/Red.mat"), Is.EqualTo(AssetDeleteResult.FailedDelete));
            Assert.That(EditorUtility.StubAsked.Single(), Is.EqualTo("Assets/Red.mat\n\n1 file uses it:\nAssets/A.prefab\n\n1 file could not be read, and may refer to it as well"));
            EditorUtility.StubAnswer = 0;
            Assert.That(Deleted("Assets/Red.mat"), Is.EqualTo(AssetDeleteResult.DidNotDelete));
            Assert.That(EditorUtility.StubAsked.Count, Is.EqualTo(2));

            EditorUtility.StubAnswer = 2;
            Deleted("Assets/Red.mat");
            Deleted("Assets/Red.mat");
            Assert.That(EditorUtility.StubAsked.Count, Is.EqualTo(3), "all was said");
            EditorApplication.StubTick();
            Deleted("Assets/Red.mat");
            Assert.That(EditorUtility.StubAsked.Count, Is.EqualTo(4), "that was another deletion");
            EditorApplication.StubTick();
            Selection.assetGUIDs = new string[0];
        }

        [Test]
        public void ADeletionWaitsForNoSlowDaemon()
        {
            Wait(() => EditorSession.State.IsRunning);
            EditorUtility.StubAsked.Clear();
            Selection.assetGUIDs = new[] { Guid };
            isSlow.Reset();
            try
            {
                Stopwatch watch = Stopwatch.StartNew();
                Assert.That(Deleted("Assets/Red.mat"), Is.EqualTo(AssetDeleteResult.DidNotDelete));
                Assert.That(watch.ElapsedMilliseconds, Is.GreaterThanOrEqualTo(290).And.LessThan(5000));
                Assert.That(EditorUtility.StubAsked, Is.Empty);
            }
            finally
            {
                isSlow.Set();
                Selection.assetGUIDs = new string[0];
            }
        }

        [Test]
        public void UsersThatAreDeletedWithItDoNotCount()
        {
            Wait(() => EditorSession.State.IsRunning);
            File.WriteAllText(Path.Combine(daemon.Folder, "Assets/A.prefab.meta"), "fileFormatVersion: 2\nguid: 0123456789abcdef0123456789abcdef\n");
            EditorUtility.StubAsked.Clear();
            Selection.assetGUIDs = new[] { Guid, "0123456789abcdef0123456789abcdef" };
            Assert.That(Deleted("Assets/Red.mat"), Is.EqualTo(AssetDeleteResult.DidNotDelete));
            Assert.That(EditorUtility.StubAsked, Is.Empty);
            Selection.assetGUIDs = new string[0];
        }

        [Test]
        public void TheInspectorCountsUsers()
        {
            Wait(() => EditorSession.State.IsRunning);
            System.Runtime.CompilerServices.RuntimeHelpers.RunClassConstructor(typeof(UsageHeader).TypeHandle);
            var editor = new Editor { target = AssetDatabase.StubAssets["Assets/Red.mat"] };
            Assert.That(Drawn(editor, EventType.Layout), Is.Empty, "not asked yet");
            Wait(() => editor.StubRepaints > 0);
            Assert.That(Drawn(editor, EventType.Layout), Is.EqualTo("assetdb: 1 file uses it, 1 not read"));
            int asked = daemon.Lines.Count(line => line.Contains("\"usages\""));
            Assert.That(Drawn(editor, EventType.Repaint), Is.EqualTo("assetdb: 1 file uses it, 1 not read"));
            Assert.That(daemon.Lines.Count(line => line.Contains("\"usages\"")), Is.EqualTo(asked), "asked once");
            EditorSession.Changed(new[] { "Assets/A.prefab" });
            Drawn(editor, EventType.Repaint);
            Drawn(editor, EventType.Layout);
            Wait(() => daemon.Lines.Count(line => line.Contains("\"usages\"")) == asked + 1 && editor.StubRepaints == 2);
            var importer = new Editor { target = new AssetImporter { assetPath = "Assets/A.prefab" } };
            Assert.That(Drawn(importer, EventType.Layout), Is.Empty, "another asset");
            Wait(() => importer.StubRepaints > 0);
            Assert.That(Drawn(importer, EventType.Layout), Is.Not.Empty);
            Assert.That(Drawn(new Editor { target = new GameObject { name = "of a scene" } }, EventType.Layout), Is.Empty);
        }

        [Test]
        public void ManyObjectsAreIdentifiedInBatches()
        {
            GameObject root = Camera();
            for (int at = 0; at < 700; at++)
            {
                root.StubComponents.Add(new Transform { gameObject = new GameObject { name = "x" } });
            }
            EditorUtility.StubProgress.Clear();
            Assert.That(Subjects.OfHierarchy(root).LocalIds, Is.EquivalentTo(new long[] { 500, 501 }));
            Assert.That(EditorUtility.StubProgress.First(), Is.EqualTo("Identifying 1,402 objects"));
            Assert.That(EditorUtility.StubProgress.Last(), Is.EqualTo("cleared"));
            Assert.That(EditorUtility.StubProgress.Count, Is.EqualTo(4));
            EditorUtility.StubCancels = true;
            try
            {
                Assert.That(Subjects.OfHierarchy(root), Is.Null);
                Assert.That(EditorUtility.StubProgress.Last(), Is.EqualTo("cleared"));
            }
            finally
            {
                EditorUtility.StubCancels = false;
            }
            EditorUtility.StubProgress.Clear();
            Subjects.OfHierarchy(Camera());
            Assert.That(EditorUtility.StubProgress, Is.Empty, "a few objects need no bar");
        }

        private static AssetDeleteResult Deleted(string path)
        {
            return (AssetDeleteResult)Invoke(typeof(DeletionQuestion), "OnWillDeleteAsset", path, RemoveAssetOptions.MoveAssetToTrash);
        }

        private static string Drawn(Editor editor, EventType type)
        {
            Event.current.type = type;
            GUILayout.StubButtons.Clear();
            Editor.StubDraw(editor);
            return string.Join(" ", GUILayout.StubButtons.ToArray());
        }

        private static SearchItem[] Searched(string typed)
        {
            SearchProvider provider = AssetSearch.Create();
            var items = (IEnumerable<SearchItem>)provider.fetchItems(
                new SearchContext { searchQuery = typed }, new List<SearchItem>(), provider);
            Stopwatch watch = Stopwatch.StartNew();
            return items.TakeWhile(item => watch.ElapsedMilliseconds < 20000).Where(item => item != null).ToArray();
        }
    }
}
