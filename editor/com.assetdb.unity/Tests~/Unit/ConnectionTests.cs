using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using AssetDb.Connection;
using AssetDb.Protocol;
using NUnit.Framework;

namespace AssetDb.Tests
{
    [TestFixture(false)]
    [TestFixture(true)]
    public sealed class DaemonConnectionTests
    {
        private readonly bool isPort;

        public DaemonConnectionTests(bool isPort)
        {
            this.isPort = isPort;
        }

        [Test]
        public void HelloAndACall()
        {
            using (var daemon = new FakeDaemon(line => line.Contains("hello") ? "" : "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"a\":1}}\n", isPort))
            using (DaemonConnection connection = daemon.Open())
            {
                Assert.That(connection.Version, Is.EqualTo("0.1.0"));
                Assert.That(connection.Call("status", new JsonWriter()).RequiredInteger("a"), Is.EqualTo(1));
                Assert.That(daemon.Lines[0], Is.StringContaining(isPort ? "\"token\":\"said\"" : "\"protocol\":1}"));
                Assert.That(daemon.Lines[1], Is.EqualTo("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"status\",\"params\":{}}"));
            }
        }

        [TestCase("garbage\n")]
        [TestCase("\n")]
        [TestCase("{}\n")]
        [TestCase("[1]\n")]
        [TestCase("\u00ff\u00fe\n")]
        [TestCase("{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":1}\n")]
        [TestCase("{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":1}\n")]
        [TestCase("HTTP/1.1 400 Bad Request\r\n\r\n")]
        public void NonsenseIsAProtocolError(string said)
        {
            using (var daemon = new FakeDaemon(line => line.Contains("hello") ? "" : said, isPort))
            using (DaemonConnection connection = daemon.Open())
            {
                Assert.Throws<ProtocolException>(() => connection.Call("status", new JsonWriter()));
            }
        }

        [Test]
        public void EndlessAndDeepAnswers()
        {
            foreach (string said in new[] { new string('x', 200000), new string('[', 90000) + "\n" })
            {
                using (var daemon = new FakeDaemon(line => line.Contains("hello") ? "" : said, isPort))
                using (DaemonConnection connection = daemon.Open(5000, 100000))
                {
                    Assert.Throws<ProtocolException>(() => connection.Call("status", new JsonWriter()));
                }
            }
        }

        [Test]
        public void ADaemonThatEndsOrSaysNothing()
        {
            using (var daemon = new FakeDaemon(line => null, isPort))
            using (DaemonConnection connection = daemon.Open())
            {
                Assert.Throws<DaemonException>(() => connection.Call("status", new JsonWriter()));
                Assert.Throws<DaemonException>(() => connection.Call("status", new JsonWriter()), "and it stays so");
            }
            var release = new ManualResetEvent(false);
            using (var daemon = new FakeDaemon(line => line.Contains("hello") ? "" : Wait(release), isPort))
            using (DaemonConnection connection = daemon.Open(200))
            {
                Assert.Throws<DaemonException>(() => connection.Call("status", new JsonWriter()));
                release.Set();
            }
        }

        [Test]
        public void AnErrorLeavesTheConnectionUsable()
        {
            using (var daemon = new FakeDaemon(
                line => line.Contains("hello") ? ""
                    : line.Contains("status") ? "{\"jsonrpc\":\"2.0\",\"method\":\"working\",\"params\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":7}\n"
                    : "{\"jsonrpc\":\"2.0\",\"id\":ID,\"error\":{\"code\":-32601,\"message\":\"no such method\"}}\n",
                isPort))
            using (DaemonConnection connection = daemon.Open())
            {
                Assert.That(
                    Assert.Throws<RequestException>(() => connection.Call("trace", new JsonWriter())).Code,
                    Is.EqualTo(RequestException.MethodNotFound));
                Assert.That(connection.Call("status", new JsonWriter()).Shown(), Is.EqualTo("7"), "`working` is passed over");
            }
        }

        [Test]
        public void NobodyListens()
        {
            var daemon = new FakeDaemon(line => "", isPort);
            daemon.Dispose();
            Assert.Throws<DaemonException>(() => daemon.Open());
        }

        [Test]
        public void TheOtherSystemsWayIsNotTaken()
        {
            using (var daemon = new FakeDaemon(line => "", isPort))
            {
                Assert.Throws<DaemonException>(() => DaemonConnection.Open(daemon.Address, 1000, !isPort));
                Assert.That(daemon.Lines, Is.Empty);
            }
        }

        [Test]
        public void DisposingWakesWhoWaits()
        {
            var release = new ManualResetEvent(false);
            using (var daemon = new FakeDaemon(line => line.Contains("hello") ? "" : Wait(release), isPort))
            {
                DaemonConnection connection = daemon.Open(30000);
                var watch = Stopwatch.StartNew();
                new Thread(() =>
                {
                    Thread.Sleep(50);
                    connection.Dispose();
                }).Start();
                Assert.Throws<DaemonException>(() => connection.Call("status", new JsonWriter()));
                Assert.That(watch.ElapsedMilliseconds, Is.LessThan(20000), "not after the timeout");
                connection.Dispose();
                release.Set();
            }
        }

        [TestCase("one")]
        [TestCase("")]
        [TestCase("one two three")]
        public void ATokenFileHasTwoWords(string token)
        {
            if (isPort)
            {
                using (var daemon = new FakeDaemon(line => "", true, token))
                {
                    Assert.Throws<DaemonException>(() => daemon.Open());
                    Assert.That(daemon.Lines, Is.Empty, "nothing of the file is said");
                }
            }
        }

        [Test]
        public void AStrangerOnThePortDoesNotKnowTheSecondWord()
        {
            if (isPort)
            {
                using (var daemon = new FakeDaemon(line => FakeDaemon.Hello.Replace("TOKEN", "guess"), true))
                {
                    Assert.That(
                        Assert.Throws<DaemonException>(() => daemon.Open()).Message, Is.StringContaining("another program"));
                }
            }
        }

        private static string Wait(WaitHandle release)
        {
            release.WaitOne(20000);
            return null;
        }
    }

    [TestFixture]
    public sealed class SenderTests
    {
        private const string Accepted = "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"accepted\":1}}\n";

        [Test]
        public void ABurstIsOneMessage()
        {
            using (var daemon = new FakeDaemon(line => line.Contains("hello") ? "" : Accepted))
            using (var sender = new ChangeSender(daemon.Connect))
            {
                sender.Add(new[] { "Assets/A", "Library/no" }, new[] { "Assets/B" });
                sender.Add(new[] { "Assets/A", "Assets/C" });
                WaitFor(() => sender.Accepted == 1 && sender.IsIdle);
                Assert.That(daemon.Lines.Length, Is.EqualTo(2));
                Assert.That(daemon.Lines[1], Is.StringContaining("{\"paths\":[\"Assets/A\",\"Assets/B\",\"Assets/C\"]}"));
            }
        }

        [Test]
        public void ChangesWithoutAPauseAreToldAllTheSame()
        {
            using (var daemon = new FakeDaemon(line => line.Contains("hello") ? "" : Accepted))
            using (var sender = new ChangeSender(daemon.Connect, 200))
            {
                int number = 0;
                WaitFor(() => // every 2 ms, for longer than a burst may last
                {
                    sender.Add(new[] { "Assets/" + number++ });
                    return sender.Accepted > 1;
                });
            }
        }

        [Test]
        public void ASenderThatCannotKeepUpLeavesPathsOut()
        {
            var release = new ManualResetEvent(false);
            using (var daemon = new FakeDaemon(line =>
            {
                if (!line.Contains("hello"))
                {
                    release.WaitOne(20000);
                    return Accepted;
                }
                return "";
            }))
            using (var sender = new ChangeSender(daemon.Connect, 1, 100))
            {
                sender.Add(new[] { "Assets/A" });
                WaitFor(() => daemon.Lines.Length == 2);
                for (int number = 0; number < 300; number++)
                {
                    sender.Add(new[] { "Assets/" + number });
                }
                release.Set();
                WaitFor(() => sender.IsIdle);
                Assert.That(string.Join("", daemon.Lines), Is.StringContaining("Assets/98").And.Not.StringContaining("Assets/99"));
            }
        }

        [Test]
        public void ManyPathsAreSeveralMessages()
        {
            using (var daemon = new FakeDaemon(line => line.Contains("hello") ? "" : Accepted))
            using (var sender = new ChangeSender(daemon.Connect))
            {
                sender.Add(Enumerable.Range(0, 2500).Select(number => "Assets/" + number).ToArray());
                WaitFor(() => sender.Accepted == 3 && sender.IsIdle);
            }
        }

        [Test]
        public void ADaemonThatWasStartedAnewIsTold()
        {
            using (var daemon = new FakeDaemon(line => line.Contains("hello") ? "" : Accepted))
            using (var sender = new ChangeSender(daemon.Connect))
            {
                sender.Add(new[] { "Assets/A" });
                WaitFor(() => sender.Accepted == 1);
                daemon.Drop();
                sender.Add(new[] { "Assets/B" });
                WaitFor(() => sender.Accepted == 2);
                Assert.That(daemon.Lines.Last(), Is.StringContaining("Assets/B"));
            }
        }

        [Test]
        public void WithoutADaemonNothingIsKept()
        {
            int tried = 0;
            using (var sender = new ChangeSender(timeout =>
            {
                Interlocked.Increment(ref tried);
                throw new DaemonException("none");
            }))
            {
                sender.Add(new[] { "Assets/A" });
                WaitFor(() => Volatile.Read(ref tried) == 2 && sender.IsIdle);
                Assert.That(sender.Accepted, Is.EqualTo(0));
            }
        }

        [Test]
        public void AHostileDaemonDoesNotEndTheSender()
        {
            int asked = 0;
            using (var daemon = new FakeDaemon(
                line => line.Contains("hello") ? "" : Interlocked.Increment(ref asked) <= 2 ? "{\"accepted\":\n" : Accepted))
            using (var sender = new ChangeSender(daemon.Connect))
            {
                sender.Add(new[] { "Assets/A" });
                WaitFor(() => Volatile.Read(ref asked) >= 2 && sender.IsIdle);
                WaitFor(() =>
                {
                    sender.Add(new[] { "Assets/B" });
                    return sender.Accepted > 0;
                });
            }
        }

        [Test]
        public void TheMonitorSeesDaemonsComeAndGo()
        {
            const string status = "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"version\":\"0.1.0\",\"pid\":5,\"root\":\"ROOT\","
                + "\"assets\":1234,\"problems\":2,\"watch\":{\"pending\":false,\"problem\":\"\"}}}\n";
            var daemon = new FakeDaemon(line => line.Contains("hello") ? "" : status);
            using (var monitor = new StatusMonitor(daemon.Connect, 10))
            {
                WaitFor(() => monitor.State.IsRunning);
                Assert.That(monitor.State.Short(), Is.EqualTo("assetdb: 2 problems"));
                Assert.That(monitor.State.Long(), Is.StringContaining("1,234 assets"));
                daemon.Dispose();
                WaitFor(() => !monitor.State.IsRunning);
                Assert.That(monitor.State.Short(), Is.EqualTo("assetdb: off"));
            }
        }

        [Test]
        public void ACancelledQuestionSaysNothing()
        {
            var release = new ManualResetEvent(false);
            var posted = new List<Action>();
            bool isAnswered = false;
            using (var daemon = new FakeDaemon(line =>
            {
                if (!line.Contains("hello"))
                {
                    release.WaitOne(20000);
                }
                return "";
            }))
            {
                Question question = Question.Ask(
                    daemon.Connect,
                    ask => ask.Call("usages", new JsonWriter()),
                    action =>
                    {
                        lock (posted)
                        {
                            posted.Add(action);
                        }
                    },
                    value => isAnswered = true,
                    error => isAnswered = true);
                WaitFor(() => daemon.Lines.Length == 2);
                question.Dispose();
                WaitFor(() =>
                {
                    lock (posted)
                    {
                        return posted.Count == 1;
                    }
                });
                posted[0]();
                Assert.That(isAnswered, Is.False);
                release.Set();
            }
        }

        internal static void WaitFor(Func<bool> isSo)
        {
            var watch = Stopwatch.StartNew();
            while (!isSo())
            {
                Assert.That(watch.ElapsedMilliseconds, Is.LessThan(30000), "not so in time");
                Thread.Sleep(2);
            }
        }
    }

    [TestFixture]
    public sealed class LocatorTests
    {
        [TestCase("", "")]
        [TestCase("out-dir = \"build/assetdb\"\n", "build/assetdb")]
        [TestCase("# x\n  \"out-dir\" = 'a b' # here\n", "a b")]
        [TestCase("[table]\nout-dir = \"x\"\n", "")]
        [TestCase("out-dir = \"../outside\"\n", "")]
        [TestCase("out-dir = \"/etc\"\n", "")]
        [TestCase("out-dir = \"C:x\"\n", "")]
        [TestCase("out-dir = \"a\\u0062\"\n", "")]
        [TestCase("out-dir = 3\n", "")]
        public void OutDirs(string text, string folder)
        {
            Assert.That(DaemonLocator.OutDirOf(text), Is.EqualTo(folder));
        }

        [Test]
        public void TheProjectsDaemonAndNoOthers()
        {
            using (var daemon = new FakeDaemon(line => ""))
            {
                var locator = new DaemonLocator(daemon.Folder);
                Assert.Throws<DaemonException>(() => locator.Connect(1000), "no status file");
                Directory.CreateDirectory(locator.OutputFolder());
                string path = Path.Combine(locator.OutputFolder(), DaemonAddress.FileName);
                File.WriteAllText(path, daemon.Status);
                using (DaemonConnection connection = locator.Connect(1000))
                {
                    Assert.That(connection.Root, Is.EqualTo(daemon.Folder));
                }
                File.WriteAllText(path, daemon.Status.Replace(daemon.Address.Socket, "/run/docker.sock"));
                Assert.Throws<DaemonException>(() => locator.Connect(1000));
                File.WriteAllText(path, new string(' ', DaemonAddress.MostBytes + 1) + daemon.Status);
                Assert.Throws<DaemonException>(() => locator.Connect(1000), "too large");
                File.WriteAllText(path, "nonsense");
                Assert.Throws<ProtocolException>(() => locator.Connect(1000));

                string other = Path.Combine(daemon.Folder, "Other");
                var stranger = new DaemonLocator(other);
                Directory.CreateDirectory(stranger.OutputFolder());
                File.WriteAllText(Path.Combine(stranger.OutputFolder(), DaemonAddress.FileName), daemon.Status);
                Assert.That(
                    Assert.Throws<DaemonException>(() => stranger.Connect(1000)).Message, Is.StringContaining("another project"));
            }
        }

        [Test]
        public void TheProgramIsNeverTheProjects()
        {
            string folder = Directory.CreateDirectory(Path.Combine(Path.GetTempPath(), "adb-" + Guid.NewGuid().ToString("N"))).FullName;
            try
            {
                string program = Path.Combine(folder, "assetdb");
                File.WriteAllText(program, "#!/bin/sh\n");
                string searched = string.Join(":", new[] { "", ".", "bin", folder, "/nowhere" });
                Assert.That(Executable.Find("", searched, "/nowhere").Path, Is.EqualTo(program));
                Assert.Throws<DaemonException>(() => Executable.Find("", ".:bin", "/nowhere"));
                Assert.Throws<DaemonException>(() => Executable.Find("assetdb", searched, "/nowhere"), "not absolute");
                Assert.Throws<DaemonException>(() => Executable.Find("/nowhere/assetdb", searched, "/nowhere"));
            }
            finally
            {
                Directory.Delete(folder, true);
            }
        }

        [Test]
        public void CommandsRunWithoutAShell()
        {
            Executable echo = Executable.Find("/bin/echo", "", "/");
            Assert.That(echo.Run("/", 20000, "name", "--json").Output, Is.EqualTo("name --json\n"));
            foreach (string word in new[] { "", "a b", "$(id)", "\"", "a;b", "'", "../x" })
            {
                Assert.Throws<ArgumentException>(() => echo.Run("/", 20000, word));
            }
            Executable sleep = Executable.Find("/bin/sleep", "", "/");
            Assert.Throws<DaemonException>(() => sleep.Run("/", 50, "30"));
        }
    }
}
