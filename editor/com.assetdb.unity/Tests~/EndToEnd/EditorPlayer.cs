using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;
using AssetDb.Connection;
using AssetDb.Protocol;
using UnityEditor;
using UnityEditor.Search;
using UnityEngine;
using UnityEngine.UIElements;

namespace AssetDb.EndToEnd
{
    /// <summary>
    /// Plays the Unity editor with this package in it: does to a project what an editor does, and calls the package's hooks
    /// and menus as the editor would. Reads commands from stdin, a JSON object a line, and answers each with one.
    /// </summary>
    public static class EditorPlayer
    {
        private const int Patience = 60000; // milliseconds
        private static readonly Assembly Package = Assembly.Load("AssetDb.Editor");

        public static int Main(string[] arguments)
        {
            string root = Path.GetFullPath(arguments[0]);
            Application.dataPath = Path.Combine(root, "Assets");
            System.Runtime.CompilerServices.RuntimeHelpers.RunClassConstructor(Session.TypeHandle);
            var changer = new ProjectChanger(root);
            for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
            {
                JsonValue command = JsonReader.Read(line);
                JsonWriter answer;
                switch (command.RequiredText("do"))
                {
                    case "burst":
                        answer = Burst(changer, command);
                        break;
                    case "idle":
                        var sender = (ChangeSender)Session.GetField("changes", BindingFlags.Static | BindingFlags.NonPublic).GetValue(null);
                        answer = new JsonWriter().Boolean("idle", Wait(() => sender.IsIdle)).Integer("accepted", sender.Accepted);
                        break;
                    case "state":
                        answer = State(command);
                        break;
                    case "ask":
                        answer = Ask(command);
                        break;
                    case "search":
                        answer = Search(command.RequiredText("typed"));
                        break;
                    case "delete":
                        answer = Delete(command.RequiredText("path"));
                        break;
                    case "scan":
                        answer = Scan(root, command.RequiredText("path"));
                        break;
                    case "daemon":
                        Session.GetMethod(command.RequiredText("method")).Invoke(null, null);
                        PropertyInfo isRunning = Session.GetProperty("IsCommandRunning");
                        answer = new JsonWriter().Boolean("done", Wait(() => !(bool)isRunning.GetValue(null, null)));
                        break;
                    default:
                        throw new ArgumentException(line);
                }
                Console.WriteLine(answer);
                Console.Out.Flush();
            }
            AssemblyReloadEvents.StubReload(); // the threads end
            return UnityEngine.Debug.StubExceptions.Count;
        }

        private static Type Session => Package.GetType("AssetDb.EditorIntegration.EditorSession");

        /// <summary>
        /// Change files, then call the postprocessor as the editor does after an import; time only the call. With
        /// <c>waiting</c> the daemon is asked in its place, as a hook without a thread of its own would do it.
        /// </summary>
        private static JsonWriter Burst(ProjectChanger changer, JsonValue command)
        {
            if (command.Member("waiting").Shown() == "yes")
            {
                string root = Path.GetDirectoryName(Application.dataPath);
                using (DaemonConnection connection = new DaemonLocator(root).Connect(Patience))
                {
                    return Burst(changer, command, (imported, deleted, moved, from) => connection.Call(
                        "changed", new JsonWriter().Texts("paths", imported.Concat(deleted).Concat(moved).Concat(from))));
                }
            }
            MethodInfo hook = Package.GetType("AssetDb.EditorIntegration.ChangePostprocessor")
                .GetMethod("OnPostprocessAllAssets", BindingFlags.Static | BindingFlags.NonPublic);
            var call = (Action<string[], string[], string[], string[]>)Delegate.CreateDelegate(
                typeof(Action<string[], string[], string[], string[]>), hook);
            return Burst(changer, command, call);
        }

        private static JsonWriter Burst(
            ProjectChanger changer, JsonValue command, Action<string[], string[], string[], string[]> call)
        {
            var microseconds = new List<string>();
            var processor = new List<string>();
            var control = new List<string>();
            int told = 0;
            int left = (int)command.RequiredInteger("changes");
            int atOnce = (int)command.RequiredInteger("at_once");
            while (left > 0)
            {
                string[][] paths = changer.Change(Math.Min(left, atOnce));
                left -= atOnce;
                told += paths.Sum(part => part.Length);
                double used = ThreadTime();
                long start = Stopwatch.GetTimestamp();
                call(paths[0], paths[1], paths[2], paths[3]);
                long ticks = Stopwatch.GetTimestamp() - start;
                processor.Add(Rounded(ThreadTime() - used));
                control.Add(Rounded(Counting()));
                microseconds.Add(Rounded(ticks * 1e6 / Stopwatch.Frequency));
                EditorApplication.StubTick();
            }
            return new JsonWriter().Integer("told", told).Texts("microseconds", microseconds).Texts("processor", processor)
                .Texts("control", control);
        }

        /// <summary>Return the microseconds that as much processor time as a send takes lasts here and now.</summary>
        private static double Counting()
        {
            const double asLong = 20;
            long start = Stopwatch.GetTimestamp();
            double until = ThreadTime() + asLong;
            while (ThreadTime() < until)
            {
                // Only the thread's own time counts, so that it ends late where others take the processor.
            }
            return (Stopwatch.GetTimestamp() - start) * 1e6 / Stopwatch.Frequency;
        }

        private static string Rounded(double number) => number.ToString("0.0", System.Globalization.CultureInfo.InvariantCulture);

        /// <summary>Return the microseconds of processor time that this thread has had: what a loaded machine takes from it
        /// in between is not in it.</summary>
        private static double ThreadTime()
        {
            const int ofThread = 3; // CLOCK_THREAD_CPUTIME_ID of Linux
            var time = new long[2];
            return clock_gettime(ofThread, time) == 0 ? time[0] * 1e6 + time[1] / 1e3 : double.NaN;
        }

        [System.Runtime.InteropServices.DllImport("libc")]
        private static extern int clock_gettime(int clock, [System.Runtime.InteropServices.Out] long[] time);

        /// <summary>Return what the package reads in a text asset.</summary>
        private static JsonWriter Scan(string root, string path)
        {
            var watch = Stopwatch.StartNew();
            using (var text = new StreamReader(Path.Combine(root, path)))
            {
                ScannedFile file = ReferenceScanner.Scan(text);
                long milliseconds = watch.ElapsedMilliseconds;
                return new JsonWriter().Integer("milliseconds", milliseconds).Texts(
                    "references", file.References.Select(found => $"{found.ObjectId} {found.FileId} {found.Guid} {found.Line}"));
            }
        }

        private static JsonWriter State(JsonValue command)
        {
            string wanted = command.RequiredText("wanted");
            PropertyInfo state = Session.GetProperty("State");
            PropertyInfo problem = Session.GetProperty("Problem");
            var monitor = (StatusMonitor)Session.GetField("monitor", BindingFlags.Static | BindingFlags.NonPublic).GetValue(null);
            Wait(() =>
            {
                monitor.Refresh(); // it would look by itself every few seconds
                return ((DaemonState)state.GetValue(null, null)).Short().Contains(wanted)
                    || ((string)problem.GetValue(null, null)).Length > 0;
            });
            var found = (DaemonState)state.GetValue(null, null);
            return new JsonWriter().Text("short", found.Short()).Text("long", found.Long())
                .Text("problem", (string)problem.GetValue(null, null));
        }

        /// <summary>Select an asset, choose a menu item, and return what the window then shows.</summary>
        private static JsonWriter Ask(JsonValue command)
        {
            string path = command.RequiredText("path");
            var asset = new UnityEngine.Object { name = Path.GetFileNameWithoutExtension(path) };
            AssetDatabase.StubAssets[path] = asset;
            AssetDatabase.StubIds[asset] = new KeyValuePair<string, long>(AssetDatabase.AssetPathToGUID(path), 0);
            Selection.activeObject = asset;
            Selection.objects = new[] { asset };
            UserPreference("Executable", command.Text("executable"));
            UserPreference("Builds", command.Text("builds"));
            Type menus = Package.GetType("AssetDb.EditorIntegration.ContextMenus");
            menus.GetMethods(BindingFlags.Static | BindingFlags.NonPublic)
                .Single(method => method.GetCustomAttributes(typeof(MenuItem), false).Cast<MenuItem>()
                    .Any(item => item.menuItem == command.RequiredText("item") && !item.validate))
                .Invoke(null, new object[0]);
            EditorWindow window = Resources.FindObjectsOfTypeAll<EditorWindow>()
                .Single(open => open.titleContent.text == command.RequiredText("window"));
            Label message = window.rootVisualElement.StubChildren.OfType<Label>().Single();
            bool isAnswered = Wait(() => !message.text.StartsWith("Looking for", StringComparison.Ordinal));
            List<VisualElement> rows = window.rootVisualElement.StubChildren.OfType<ListView>().Single().StubRows;
            return new JsonWriter()
                .Boolean("answered", isAnswered)
                .Text("message", message.text)
                .Texts("labels", rows.Select(row => ((Label)row.StubChildren[2]).text))
                .Texts("details", rows.Select(row => ((Label)row.StubChildren[3]).text));
        }

        /// <summary>Type something behind <c>adb:</c> in the search.</summary>
        private static JsonWriter Search(string typed)
        {
            var provider = (SearchProvider)Package.GetType("AssetDb.EditorIntegration.AssetSearch")
                .GetMethod("Create", BindingFlags.Static | BindingFlags.NonPublic).Invoke(null, null);
            var watch = Stopwatch.StartNew();
            var items = (IEnumerable<SearchItem>)provider.fetchItems(
                new SearchContext { searchQuery = typed }, new List<SearchItem>(), provider);
            SearchItem[] found = items.TakeWhile(item => watch.ElapsedMilliseconds < Patience)
                .Where(item => item != null).ToArray();
            return new JsonWriter().Texts("labels", found.Select(item => item.label))
                .Texts("paths", found.Select(item => (string)item.data));
        }

        /// <summary>Delete a selected asset, as far as what is asked before; the answer is to keep it.</summary>
        private static JsonWriter Delete(string path)
        {
            AssetDatabase.StubAssets[path] = new UnityEngine.Object { name = path };
            Selection.assetGUIDs = new[] { AssetDatabase.AssetPathToGUID(path) };
            EditorUtility.StubAsked.Clear();
            EditorUtility.StubAnswer = 1;
            object result = Package.GetType("AssetDb.EditorIntegration.DeletionQuestion")
                .GetMethod("OnWillDeleteAsset", BindingFlags.Static | BindingFlags.NonPublic)
                .Invoke(null, new object[] { path, RemoveAssetOptions.MoveAssetToTrash });
            return new JsonWriter().Texts("asked", EditorUtility.StubAsked).Text("result", result.ToString());
        }

        private static void UserPreference(string name, string value)
        {
            Package.GetType("AssetDb.EditorIntegration.UserPreferences").GetProperty(name).SetValue(null, value, null);
        }

        private static bool Wait(Func<bool> isSo)
        {
            var watch = Stopwatch.StartNew();
            while (!isSo())
            {
                if (watch.ElapsedMilliseconds > Patience)
                {
                    return false;
                }
                Thread.Sleep(5);
                EditorApplication.StubTick();
            }
            return true;
        }
    }
}
