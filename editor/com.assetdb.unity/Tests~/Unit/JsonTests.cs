using System;
using System.Text;
using AssetDb.Protocol;
using NUnit.Framework;

namespace AssetDb.Tests
{
    [TestFixture]
    public sealed class JsonTests
    {
        [TestCase("null", JsonKind.Null, "")]
        [TestCase(" true ", JsonKind.Boolean, "yes")]
        [TestCase("false", JsonKind.Boolean, "no")]
        [TestCase("-0", JsonKind.Integer, "0")]
        [TestCase("9007199254740993", JsonKind.Integer, "9007199254740993")]
        [TestCase("-9223372036854775808", JsonKind.Integer, "-9223372036854775808")]
        [TestCase("9223372036854775808", JsonKind.Number, "9.2233720368547758E+18")]
        [TestCase("1.5e2", JsonKind.Number, "150")]
        [TestCase("\"\"", JsonKind.String, "")]
        [TestCase("\"a\\u00e4\\ud83d\\ude00\\n\\/\\\\\"", JsonKind.String, "a\u00e4\ud83d\ude00\n/\\")]
        public void Scalars(string text, JsonKind kind, string shown)
        {
            JsonValue value = JsonReader.Read(text);
            Assert.That(value.Kind, Is.EqualTo(kind));
            Assert.That(value.Shown(), Is.EqualTo(shown));
        }

        [Test]
        public void ArraysAndObjects()
        {
            JsonValue value = JsonReader.Read(" { \"a\" : [ 1 , [ ] , { } ] , \"b\" : { \"c\" : null } , \"a b\" : 2 } ");
            Assert.That(value.List("a").Count, Is.EqualTo(3));
            Assert.That(value.Member("a").Items[1].Kind, Is.EqualTo(JsonKind.Array));
            Assert.That(value.Member("a").Items[2].Kind, Is.EqualTo(JsonKind.Object));
            Assert.That(value.Member("b").Member("c").IsNull);
            Assert.That(value.Integer("a b", 0), Is.EqualTo(2));
            Assert.That(value.Integer("absent", 7), Is.EqualTo(7));
        }

        [TestCase("")]
        [TestCase("nul")]
        [TestCase("01")]
        [TestCase("1.")]
        [TestCase("1e")]
        [TestCase("-")]
        [TestCase("+1")]
        [TestCase("1e999")]
        [TestCase("\"")]
        [TestCase("\"\\x\"")]
        [TestCase("\"\\u12g4\"")]
        [TestCase("\"\u0001\"")]
        [TestCase("[1 2]")]
        [TestCase("[1,]")]
        [TestCase("[")]
        [TestCase("{\"a\"}")]
        [TestCase("{\"a\":1,}")]
        [TestCase("{a:1}")]
        [TestCase("{} {}")]
        [TestCase("]")]
        [TestCase("NaN")]
        public void WhatIsNoJson(string text)
        {
            Assert.Throws<ProtocolException>(() => JsonReader.Read(text));
        }

        [Test]
        public void NeitherDeepNorMany()
        {
            Assert.That(JsonReader.Read(new string('[', 64) + new string(']', 64)).Kind, Is.EqualTo(JsonKind.Array));
            Assert.Throws<ProtocolException>(() => JsonReader.Read(new string('[', 65) + new string(']', 65)));
            Assert.Throws<ProtocolException>(() => JsonReader.Read(new string('[', 5000000)));
            Assert.That(JsonReader.Read("[1,2,3]", 64, 4).Items.Count, Is.EqualTo(3));
            Assert.Throws<ProtocolException>(() => JsonReader.Read("[1,2,3,4]", 64, 4));
            Assert.Throws<ProtocolException>(() => JsonReader.Read(new string('1', 401)));
        }

        [Test]
        public void TheKindOfAMemberIsChecked()
        {
            JsonValue value = JsonReader.Read("{\"a\":\"x\",\"b\":1}");
            Assert.That(Assert.Throws<ProtocolException>(() => value.RequiredText("b")).Message, Is.StringContaining("\"b\""));
            Assert.Throws<ProtocolException>(() => value.RequiredText("c"));
            Assert.Throws<ProtocolException>(() => value.RequiredInteger("a"));
            Assert.Throws<ProtocolException>(() => value.List("a"));
            Assert.Throws<ProtocolException>(() => value.Text("b"));
            Assert.That(value.Text("c"), Is.EqualTo(""));
        }

        [Test]
        public void WhatIsWrittenIsReadAgain()
        {
            string hard = "\"\\/\b\f\n\r\t\u0000\u001f\u007f\u2028\u00e4\ud83d\ude00";
            string text = new JsonWriter()
                .Text("a \"name\"", hard)
                .Integer("n", long.MinValue)
                .Boolean("yes", true)
                .Texts("list", new[] { "", hard })
                .Object("inner", new JsonWriter())
                .ToString();
            JsonValue value = JsonReader.Read(text);
            Assert.That(value.Text("a \"name\""), Is.EqualTo(hard));
            Assert.That(value.RequiredInteger("n"), Is.EqualTo(long.MinValue));
            Assert.That(value.Member("yes").Shown(), Is.EqualTo("yes"));
            Assert.That(value.List("list")[1].Shown(), Is.EqualTo(hard));
            Assert.That(value.Member("inner").Kind, Is.EqualTo(JsonKind.Object));
            Assert.That(text, Is.Not.StringContaining("\n"));
        }

        [Test]
        public void HalfAPairHasNoUtf8()
        {
            string text = new JsonWriter().Text("a", "x\ud83d" + "y\ude00").ToString();
            Assert.That(JsonReader.Read(text).Text("a"), Is.EqualTo("x\ufffdy\ufffd"));
            Assert.DoesNotThrow(() => LineFraming.Frame(text));
        }

        [Test]
        public void DamagedAnswersAreTypedErrors()
        {
            const string whole = "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"query\":\"It\\u00e9m\",\"guid\":null,\"usages\":[{\"guid\":"
                + "\"4da1de0e3f88a2099ed539d1638f3eb8\",\"path\":\"Assets/A.asset\",\"type\":\"T\"}],\"objects\":[{\"path\":\"Assets/A.asset\","
                + "\"line\":24,\"object_id\":-9007199254740993,\"property\":\"m_Script\"}],\"unread_files\":2}}";
            const string marks = "{}[]\",:0123456789-.eEtfn\\u \u0000\ud800";
            var random = new Random(17);
            int damaged = 0;
            for (int round = 0; round < 20000; round++)
            {
                var text = new StringBuilder(whole);
                for (int edits = random.Next(1, 4); edits > 0; edits--)
                {
                    int at = random.Next(text.Length);
                    switch (random.Next(3))
                    {
                        case 0:
                            text[at] = marks[random.Next(marks.Length)];
                            break;
                        case 1:
                            text.Remove(at, Math.Min(random.Next(1, 9), text.Length - at));
                            break;
                        default:
                            text.Insert(at, whole.Substring(at % whole.Length, random.Next(0, 1 + whole.Length - (at % whole.Length))));
                            break;
                    }
                }
                try
                {
                    RpcMessage message = RpcMessage.Read(text.ToString());
                    ResultNodes.OfUsages(UsagesAnswer.Read(message.Result));
                }
                catch (ProtocolException)
                {
                    damaged++;
                }
            }
            Assert.That(damaged, Is.GreaterThan(10000).And.LessThan(20000));
        }
    }
}
