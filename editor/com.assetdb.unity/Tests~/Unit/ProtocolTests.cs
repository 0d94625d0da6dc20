using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using AssetDb.Protocol;
using NUnit.Framework;

namespace AssetDb.Tests
{
    [TestFixture]
    public sealed class ProtocolTests
    {
        [Test]
        public void LinesComeOutHoweverTheyCameIn()
        {
            string[] lines = { "{}", "", "\u00e4\ud83d\ude00", new string('x', 50000), "end" };
            byte[] all = Encoding.UTF8.GetBytes(string.Join("\n", lines) + "\n");
            foreach (int step in new[] { 1, 2, 3, 7, 4096, 16384, all.Length })
            {
                var framing = new LineFraming();
                var found = new List<string>();
                var part = new byte[step];
                for (int at = 0; at < all.Length; at += step)
                {
                    int count = Math.Min(step, all.Length - at);
                    Array.Copy(all, at, part, 0, count);
                    framing.Append(part, count);
                    while (framing.TryTake(out string line))
                    {
                        found.Add(line);
                    }
                }
                Assert.That(found, Is.EqualTo(lines), "in steps of {0}", step);
            }
        }

        [Test]
        public void ALineIsBounded()
        {
            var framing = new LineFraming(100);
            var part = new byte[60];
            framing.Append(part, 40);
            framing.Append(part, 60);
            Assert.Throws<ProtocolException>(() => framing.Append(part, 1));
            part[59] = (byte)'\n';
            framing = new LineFraming(100);
            framing.Append(new byte[60], 60);
            framing.Append(part, 60);
            Assert.Throws<ProtocolException>(() => framing.TryTake(out string _));
        }

        [Test]
        public void ALineIsUtf8AndAMessageOneLine()
        {
            var framing = new LineFraming();
            framing.Append(new byte[] { 0xc3, (byte)'\n' }, 2);
            Assert.Throws<ProtocolException>(() => framing.TryTake(out string _));
            Assert.Throws<ArgumentException>(() => LineFraming.Frame("a\nb"));
        }

        [TestCase("[]")]
        [TestCase("7")]
        [TestCase("{}")]
        [TestCase("{\"jsonrpc\":\"1.0\",\"id\":1,\"result\":1}")]
        [TestCase("{\"jsonrpc\":\"2.0\",\"id\":1}")]
        [TestCase("{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":1}")]
        [TestCase("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":[]}")]
        [TestCase("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"x\",\"message\":\"\"}}")]
        [TestCase("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":99999999999,\"message\":\"\"}}")]
        [TestCase("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}")]
        [TestCase("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":3,\"result\":1}")]
        public void WhatIsNoMessage(string line)
        {
            Assert.Throws<ProtocolException>(() => RpcMessage.Read(line));
        }

        [Test]
        public void Messages()
        {
            RpcMessage error = RpcMessage.Read("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no JSON\"}}");
            Assert.That(error.Id, Is.Null);
            Assert.That(error.Error.Code, Is.EqualTo(-32700));
            Assert.That(error.Error.Message, Is.EqualTo("no JSON"));
            RpcMessage note = RpcMessage.Read("{\"jsonrpc\":\"2.0\",\"method\":\"working\",\"params\":{}}");
            Assert.That(note.Method, Is.EqualTo("working"));
            Assert.That(
                Encoding.UTF8.GetString(RpcMessage.Request(3, "changed", new JsonWriter().Texts("paths", new[] { "Assets/\u00e4" }))),
                Is.EqualTo("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"changed\",\"params\":{\"paths\":[\"Assets/\u00e4\"]}}\n"));
        }

        [TestCase("/run/user/1000/assetdb/0123456789abcdef.sock", ".sock", true)]
        [TestCase("/tmp/assetdb-1000/0123456789abcdef.sock", ".sock", true)]
        [TestCase("C:\\Users\\ann\\AppData\\Local\\assetdb\\run\\0123456789abcdef.token", ".token", true)]
        [TestCase("/tmp/assetdb-1000/0123456789abcdef.token", ".sock", false)]
        [TestCase("/run/user/1000/bus/0123456789abcdef.sock", ".sock", false)]
        [TestCase("/run/user/1000/assetdb/../bus/assetdb/0123456789abcdef.sock", ".sock", false)]
        [TestCase("/run/docker.sock", ".sock", false)]
        [TestCase("/run/assetdb/docker.sock", ".sock", false)]
        [TestCase("assetdb/0123456789abcdef.sock", ".sock", false)]
        [TestCase("x/assetdb/0123456789abcdef.sock", ".sock", false)]
        [TestCase("\\\\server\\share\\assetdb\\0123456789abcdef.token", ".token", false)]
        [TestCase("C:\\x\\run\\0123456789abcdef.token", ".token", false)]
        [TestCase("", ".sock", false)]
        public void PathsOfAStatusFile(string path, string extension, bool isPlausible)
        {
            Assert.That(DaemonAddress.IsPlausible(path, extension), Is.EqualTo(isPlausible));
        }

        [Test]
        public void StatusFiles()
        {
            const string text = "{\"pid\":1,\"port\":0,\"protocol\":1,\"root\":\"/p\",\"socket\":\"/s\",\"token\":\"\",\"version\":\"9\"}";
            Assert.That(DaemonAddress.Read(text).Socket, Is.EqualTo("/s"));
            Assert.Throws<ProtocolException>(() => DaemonAddress.Read(text.Replace("\"pid\":1", "\"pid\":\"1\"")));
            Assert.Throws<ProtocolException>(() => DaemonAddress.Read("[]"));
            string other = Assert.Throws<ProtocolException>(
                () => DaemonAddress.Read(text.Replace("\"protocol\":1", "\"protocol\":2"))).Message;
            Assert.That(other, Is.StringContaining("assetdb 9").And.StringContaining("protocol 2"));
        }

        [Test]
        public void Changes()
        {
            var batch = new ChangeBatch(3);
            foreach (string path in new[] { "Assets/A", "Assets/A", null, "", "Library/x", "Assets/B", "Packages/p/C", "Assets/D" })
            {
                batch.Add(path);
            }
            Assert.That(batch.LeftOut, Is.EqualTo(1));
            Assert.That(batch.Take(2), Is.EqualTo(new[] { "Assets/A", "Assets/B" }));
            batch.Add("Assets/A");
            Assert.That(batch.Take(9), Is.EqualTo(new[] { "Packages/p/C", "Assets/A" }), "what was taken may change again");
            Assert.That(batch.Take(9), Is.Empty);
        }

        [TestCase("fileFormatVersion: 2\nguid: x\nNativeFormatImporter:\n", "4da1de0e3f88a2099ed539d1638f3eb8", 2)]
        [TestCase("fileFormatVersion: 2\nguid: x\nTextureImporter:\n", "4da1de0e3f88a2099ed539d1638f3eb8", 3)]
        [TestCase("", "0000000000000000f000000000000000", 0)]
        public void ReferencesToPaste(string meta, string guid, int type)
        {
            Assert.That(ReferenceText.Of(guid, -42, meta), Is.EqualTo($"{{fileID: -42, guid: {guid}, type: {type}}}"));
        }

        [TestCase("{\"rows\":[]}", "", 0)]
        [TestCase("{\"rows\":[{\"reason\":\"not-found\"}],\"problems\":[\"a\",\"b\"]}", "the daemon does not know this asset (yet); a; b", 0)]
        [TestCase("{\"rows\":[{\"parts\":[{\"part\":\"a\",\"why\":\"none\"}]},{\"catalog\":[{\"address\":\"k\"}]}]}", "", 2)]
        public void WhyItIsInABuild(string result, string note, int count)
        {
            Assert.That(TraceQuestion.Nodes(JsonReader.Read(result), out string said).Count, Is.EqualTo(count));
            Assert.That(said, Is.EqualTo(note));
        }

        [TestCase("7")]
        [TestCase("{}")]
        [TestCase("{\"rows\":{}}")]
        [TestCase("{\"rows\":[[]]}")]
        [TestCase("{\"rows\":[{\"parts\":[3]}]}")]
        [TestCase("{\"rows\":[{\"parts\":[{}]}]}")]
        [TestCase("{\"rows\":[{\"parts\":[{\"part\":\"a\",\"objects\":[null]}]}]}")]
        [TestCase("{\"rows\":[{\"catalog\":[\"\"]}]}")]
        [TestCase("{\"rows\":[{\"layout\":[1.5]}]}")]
        [TestCase("{\"rows\":[{\"state\":[[]]}]}")]
        public void AnAnswerOfAnotherFormIsAnError(string result)
        {
            Assert.Throws<ProtocolException>(() => TraceQuestion.Nodes(JsonReader.Read(result), out string _));
        }

        [Test]
        public void FoldersOfBuildsMayBeRelativeToTheProject()
        {
            Assert.That(TraceQuestion.Folders(" ; Builds/../Out;/b ", "/game"), Is.EqualTo(new[] { "/game/Out", "/b" }));
            Assert.That(TraceQuestion.Folders("", "/game"), Is.Empty);
        }
    }

    [TestFixture]
    public sealed class ResultTreeTests
    {
        private const string Answer =
            "{\"query\":\"x\",\"name\":\"Item\",\"usages\":[{\"path\":\"Assets/Light.unity\",\"type\":\"SceneAsset\"},"
            + "{\"path\":\"Assets/Baked.asset\",\"type\":\"LightingDataAsset\"}],\"objects\":["
            + "{\"path\":\"Assets/Light.unity\",\"line\":7,\"object_id\":5,\"hierarchy\":\"Root / Lamp\",\"class\":\"Light\",\"property\":\"m_Cookie\",\"override\":\"\"},"
            + "{\"path\":\"Assets/Light.unity\",\"line\":9,\"object_id\":5,\"hierarchy\":\"Root / Lamp\",\"class\":\"Light\",\"property\":\"m_Flare\",\"override\":\"\"},"
            + "{\"path\":\"Assets/Light.unity\",\"line\":20,\"object_id\":6,\"hierarchy\":\"Root\",\"class\":\"Prefab\",\"property\":\"m_Modification.m_Modifications[0].objectReference\",\"override\":\"m_Cookie\"},"
            + "{\"path\":\"Assets/Icon.cs.meta\",\"line\":4,\"object_id\":0,\"hierarchy\":\"\",\"class\":\"\",\"property\":\"MonoImporter.icon\",\"override\":\"\"}]}";

        [Test]
        public void FilesObjectsProperties()
        {
            ResultTree tree = Tree();
            Assert.That(Shown(tree), Is.EqualTo(new[]
            {
                "Assets/Light.unity", " Root / Lamp", "  m_Cookie", "  m_Flare", " Root", "  m_Cookie (override)",
                "Assets/Baked.asset", "Assets/Icon.cs.meta", " MonoImporter.icon",
            }));
            Assert.That(tree.Rows[8].Node.Path, Is.EqualTo("Assets/Icon.cs"));
            Assert.That(tree.Rows[2].Node.FileId, Is.EqualTo(5));
            Assert.That(tree.Rows[2].Node.Detail, Is.EqualTo("line 7"));
        }

        [Test]
        public void TheFilterKeepsWhatLeadsToAMatch()
        {
            ResultTree tree = Tree();
            tree.Filter = "FLARE";
            Assert.That(Shown(tree), Is.EqualTo(new[] { "Assets/Light.unity", " Root / Lamp", "  m_Flare" }));
            tree.Filter = "lamp cookie";
            Assert.That(Shown(tree), Is.EqualTo(new[] { "Assets/Light.unity", " Root / Lamp", "  m_Cookie" }));
            tree.Filter = "baked";
            Assert.That(Shown(tree), Is.EqualTo(new[] { "Assets/Baked.asset" }));
            tree.Filter = "nothing";
            Assert.That(tree.Rows, Is.Empty);
            tree.Filter = "";
            Assert.That(tree.Rows.Count, Is.EqualTo(9));
        }

        [Test]
        public void AFilterOpensWhatIsClosed()
        {
            ResultTree tree = Tree();
            tree.SetExpanded(tree.Rows[0].Node, false);
            Assert.That(Shown(tree)[1], Is.EqualTo("Assets/Baked.asset"));
            tree.Filter = "flare";
            Assert.That(tree.Rows.Count, Is.EqualTo(3));
            tree.Filter = "";
            Assert.That(tree.Rows.Count, Is.EqualTo(4));
            tree.SetExpanded(tree.Rows[0].Node, true);
            Assert.That(tree.Rows.Count, Is.EqualTo(9));
        }

        [Test]
        public void DepthOfATreeIsNoDepthOfRecursion()
        {
            var root = new ResultNode("0");
            ResultNode node = root;
            for (int depth = 1; depth < 200000; depth++)
            {
                node = node.Add(new ResultNode("n"));
            }
            node.Add(new ResultNode("deepest"));
            var tree = new ResultTree(new[] { root }) { Filter = "deepest" };
            Assert.That(tree.Rows.Count, Is.EqualTo(200001));
        }

        [Test]
        public void RowsAreCopiedAsTheyAreShown()
        {
            ResultTree tree = Tree();
            tree.Filter = "flare";
            Assert.That(tree.AsText(), Is.EqualTo("Assets/Light.unity  SceneAsset\n  Root / Lamp  Light\n    m_Flare  line 9\n"));
        }

        [Test]
        public void WhatIsSavedIsRestored()
        {
            List<ResultNode> nodes = ResultNodes.OfUsages(UsagesAnswer.Read(JsonReader.Read(Answer)));
            List<SavedNode> saved = SavedNode.Of(nodes);
            Assert.That(saved.Select(entry => entry.Depth), Is.EqualTo(new[] { 0, 1, 2, 2, 1, 2, 0, 0, 1 }));
            var tree = new ResultTree(SavedNode.Restored(saved));
            Assert.That(Shown(tree), Is.EqualTo(Shown(new ResultTree(nodes))));
            Assert.That(tree.Rows[2].Node.FileId, Is.EqualTo(5));
            Assert.That(tree.Rows[2].Node.Line, Is.EqualTo(7));
            Assert.That(tree.Rows[2].Node.Path, Is.EqualTo("Assets/Light.unity"));
            saved[1].Depth = 9; // of an odd file of the editor's
            saved[2].Depth = -3;
            Assert.That(new ResultTree(SavedNode.Restored(saved)).Rows.Count, Is.EqualTo(9));
        }

        private static ResultTree Tree()
        {
            return new ResultTree(ResultNodes.OfUsages(UsagesAnswer.Read(JsonReader.Read(Answer))));
        }

        private static string[] Shown(ResultTree tree)
        {
            return tree.Rows.Select(row => new string(' ', row.Depth) + row.Node.Label).ToArray();
        }
    }

    [TestFixture]
    public sealed class ReferenceScannerTests
    {
        private const string Other = "4da1de0e3f88a2099ed539d1638f3eb8";
        private const string Scene = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
            + "--- !u!1 &500\nGameObject:\n  m_Component:\n  - component: {fileID: 501}\n  m_Name: Camera\n"
            + "--- !u!4 &501\nTransform:\n  m_GameObject: {fileID: 500}\n  m_Father: {fileID: 0}\n"
            + "--- !u!114 &-7 stripped\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: 4DA1DE0E3F88A2099ED539D1638F3EB8,\n    type: 3}\n"
            + "  targets:\n  - {fileID: 501}\n  - {fileID: 77}\n  nested:\n    pairs:\n    - key: {fileID: 1, guid: " + Other + ", type: 2}\n"
            + "      value: {fileID: 500}\n    - key: {fileID: 2}\n  inline: {a: {fileID: 3}, b: {fileID: 500}}\n";

        [Test]
        public void ReferencesWithTheirPlaces()
        {
            ScannedFile file = ReferenceScanner.Scan(new StringReader(Scene));
            Assert.That(file.Objects, Is.EquivalentTo(new long[] { 500, 501, -7 }));
            Assert.That(file.References.Select(Shown).ToArray(), Is.EqualTo(new[]
            {
                "500 GameObject m_Component[0].component:6 501",
                "501 Transform m_GameObject:10 500",
                "-7 MonoBehaviour m_Script:14 11500000@" + Other,
                "-7 MonoBehaviour targets[0]:17 501",
                "-7 MonoBehaviour targets[1]:18 77",
                "-7 MonoBehaviour nested.pairs[0].key:21 1@" + Other,
                "-7 MonoBehaviour nested.pairs[0].value:22 500",
                "-7 MonoBehaviour nested.pairs[1].key:23 2",
                "-7 MonoBehaviour inline.a:24 3",
                "-7 MonoBehaviour inline.b:24 500",
            }));
            Assert.That(file.IsComplete);
        }

        [Test]
        public void OnlySoManyAreKept()
        {
            ScannedFile file = ReferenceScanner.Scan(new StringReader(Scene), 3);
            Assert.That(file.References.Count, Is.EqualTo(3));
            Assert.That(file.IsComplete, Is.False);
        }

        [TestCase("m_Component[0].component", true)]
        [TestCase("m_Father", true)]
        [TestCase("m_Modification.m_TransformParent", true)]
        [TestCase("m_Modification.m_Modifications[0].objectReference", false)]
        [TestCase("m_Materials[1]", false)]
        public void HowAHierarchyIsPutTogetherIsNoUse(string property, bool isStructure)
        {
            Assert.That(ReferenceScanner.IsStructure(property), Is.EqualTo(isStructure));
        }

        [Test]
        public void AnyTextIsRead()
        {
            var random = new Random(23);
            for (int round = 0; round < 3000; round++)
            {
                var text = new StringBuilder(Scene);
                for (int edits = random.Next(1, 6); edits > 0; edits--)
                {
                    int at = random.Next(text.Length);
                    if (random.Next(2) == 0)
                    {
                        text[at] = "{}[]-:,& \n\0%!"[random.Next(13)];
                    }
                    else
                    {
                        text.Remove(at, Math.Min(random.Next(1, 30), text.Length - at));
                    }
                }
                foreach (FileReference found in ReferenceScanner.Scan(new StringReader(text.ToString())).References)
                {
                    Assert.That(found.FileId, Is.Not.EqualTo(0));
                }
            }
            string deep = string.Concat(Enumerable.Range(0, 3000).Select(depth => new string(' ', depth) + "k:\n").ToArray());
            Assert.That(ReferenceScanner.Scan(new StringReader(deep + new string(' ', 3000) + "x: {fileID: 1}\n")).References.Count, Is.EqualTo(1));
        }

        [Test]
        public void MissingReferencesHaveTheNameThatTheyHad()
        {
            const string own = "a1648f263062dbeeef430dc2562ffc5b";
            ScannedFile file = ReferenceScanner.Scan(new StringReader(Scene));
            var missing = new MissingReferences("Assets/Main.unity", own, file, null);
            Assert.That(missing.Queries, Is.EqualTo(new[] { Other + ":11500000", own + ":-7", Other + ":1" }));
            var names = new Dictionary<string, ResolvedName>
            {
                { Other + ":11500000", Name("{\"name\":\"\",\"reason\":\"missing-asset\"}") },
                { Other + ":1", Name("{\"name\":\"\",\"path\":\"Assets/S.asset\",\"reason\":\"dangling\"}") },
                { own + ":-7", Name("{\"name\":\"Main.unity / Camera (MonoBehaviour)\",\"reason\":\"\"}") },
            };
            Assert.That(missing.LostGuids(names), Is.EqualTo(new[] { Other }));
            Dictionary<string, FormerName> former = FormerName.ReadAll(
                "{\"guid\": \"" + Other + "\", \"was\": {\"path\": \"Assets/Old/Player.cs\", \"commit\": \"3f2c1ab\"}}\n\n{\"guid\": \"x\"}\n");
            ResultNode node = missing.Node(names, former);
            Assert.That(node.Children.Single().Label, Is.EqualTo("Main.unity / Camera (MonoBehaviour)"));
            Assert.That(node.Children[0].Children.Select(child => child.Label + " | " + child.Detail).ToArray(), Is.EqualTo(new[]
            {
                "m_Script: Assets/Old/Player.cs | had this GUID until commit 3f2c1ab, line 14",
                "targets[1]: an object of this file | &77 is not (any more) in it, line 18",
                "nested.pairs[0].key: Assets/Old/Player.cs | had this GUID until commit 3f2c1ab, line 21",
                "nested.pairs[1].key: an object of this file | &2 is not (any more) in it, line 23",
                "inline.a: an object of this file | &3 is not (any more) in it, line 24",
            }));
            var dangling = missing.Node(names, new Dictionary<string, FormerName>()).Children[0].Children[2];
            Assert.That(dangling.Label, Is.EqualTo("nested.pairs[0].key: Assets/S.asset &1"));
            Assert.That(new MissingReferences("x", own, file, new long[] { 500, 501 }).Node(names, former), Is.Null);
        }

        private const string Broken = "%YAML 1.1\n--- !u!1 &500\nGameObject:\n  m_Component:\n  - component: {fileID: 501}\n  - component: {fileID: 502}\n"
            + "--- !u!4 &501\nTransform:\n  m_GameObject: {fileID: 500}\n"
            + "--- !u!114 &502\nMonoBehaviour:\n  m_GameObject: {fileID: 500}\n  m_Script: {fileID: 11500000, guid: " + Other + ", type: 3}\n"
            + "--- !u!1 &900 stripped\nGameObject:\n  m_CorrespondingSourceObject: {fileID: 5000000000, guid: a1648f263062dbeeef430dc2562ffc5b,\n    type: 3}\n"
            + "  m_PrefabInstance: {fileID: 77}\n  m_PrefabAsset: {fileID: 0}\n"
            + "--- !u!114 &901\nMonoBehaviour:\n  m_GameObject: {fileID: 900}\n  m_Script: {fileID: 5, guid: " + Other + ", type: 3}\n"
            + "--- !u!114 &90 \nMonoBehaviour:\n  lost: {fileID: 1, guid: " + Other + ", type: 3}\n";

        [TestCase("Builds", true)]
        [TestCase("Builds/Linux/Game_Data", true)]
        [TestCase("a..b", true)]
        [TestCase("", false)]
        [TestCase("..", false)]
        [TestCase("Builds/../../x", false)]
        [TestCase("Builds\\..\\..\\x", false)]
        [TestCase("/etc", false)]
        [TestCase("\\\\host\\share", false)]
        [TestCase("C:/x", false)]
        [TestCase("~/x", false)]
        [TestCase("a;b", false)]
        public void ATeamNamesFoldersInsideTheProject(string folder, bool isAllowed)
        {
            string text = new JsonWriter().Texts("builds", new[] { folder }).ToString();
            if (isAllowed)
            {
                Assert.That(TeamDefaults.Read(text).Builds, Is.EqualTo(new[] { folder }));
                Assert.That(TeamDefaults.Read(TeamDefaults.Read(text).ToString()).Builds, Is.EqualTo(new[] { folder }));
            }
            else
            {
                Assert.That(() => TeamDefaults.Read(text), Throws.InstanceOf<ProtocolException>());
            }
        }

        [TestCase("")]
        [TestCase("[]")]
        [TestCase("{\"builds\": [7]}")]
        public void ATeamsFileThatIsWrongIsSaid(string text)
        {
            Assert.That(() => TeamDefaults.Read(text), Throws.InstanceOf<ProtocolException>());
        }

        [TestCase(500, ":11500000")]
        [TestCase(900, ":5")]
        public void ComponentsWithoutAScriptAreFoundByTheirGameObject(long gameObject, string script)
        {
            ScannedFile file = ReferenceScanner.Scan(new StringReader(Broken));
            var missing = new MissingReferences("Assets/Broken.unity", "", file, new[] { gameObject });
            Assert.That(missing.Queries, Contains.Item(Other + script));
            Assert.That(missing.Queries, Has.No.Member(Other + ":1"), "of another object");
        }

        [Test]
        public void AStrippedObjectIsOneOfItsPrefab()
        {
            StrippedObject found = StrippedObject.Find(new StringReader(Broken), 900);
            Assert.That(found.Source, Is.EqualTo(5000000000));
            Assert.That(found.Instance, Is.EqualTo(77));
            foreach (long other in new long[] { 500, 90, 0, 900900 })
            {
                Assert.That(StrippedObject.Find(new StringReader(Broken), other), Is.Null);
            }
            Assert.That(StrippedObject.Find(new StringReader("--- !u!1 &7 stripped\nGameObject:\n"), 7), Is.Null);
            Assert.That(StrippedObject.Read("/nowhere/at all", 7), Is.Null);
        }

        private static ResolvedName Name(string json)
        {
            return ResolvedName.ReadAll(JsonReader.Read("[" + json + "]"), 1)[0];
        }

        private static string Shown(FileReference found)
        {
            string target = found.Guid.Length > 0 ? $"{found.FileId}@{found.Guid}" : $"{found.FileId}";
            return $"{found.ObjectId} {found.ClassName} {found.Property}:{found.Line} {target}";
        }
    }
}
