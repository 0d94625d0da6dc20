using System;
using System.Collections.Generic;
using AssetDb.Connection;
using AssetDb.Protocol;
using UnityEditor;
using UnityEditor.Search;
using UnityEngine;
using Object = UnityEngine.Object;

namespace AssetDb.EditorIntegration
{
    /// <summary>What <c>adb:</c> finds in Unity's search: assets by name and type, or the users of one.</summary>
    internal static class AssetSearch
    {
        public const string Id = "assetdb";
        private const int MostFound = 1000;

        [SearchItemProvider]
        internal static SearchProvider Create()
        {
            return new SearchProvider(Id, "assetdb")
            {
                filterId = "adb:",
                isExplicitProvider = true, // other searches do not wait for a daemon
                fetchItems = (context, items, provider) => Fetch(context, provider),
                fetchThumbnail = (item, context) => AssetDatabase.GetCachedIcon(PathOf(item)) as Texture2D,
                toObject = (item, type) => Asset(item),
                trackSelection = (item, context) => EditorGUIUtility.PingObject(Asset(item)),
            };
        }

        [SearchActionsProvider]
        internal static IEnumerable<SearchAction> Actions()
        {
            return new[]
            {
                new SearchAction(Id, "open", null, "Open", item => AssetDatabase.OpenAsset(Asset(item))),
                new SearchAction(Id, "usages", null, "Find usages", item => ContextMenus.FindUsages(Subjects.OfAsset(Asset(item)))),
            };
        }

        /// <summary>Yield what the daemon finds, null as long as it has not answered.</summary>
        private static IEnumerable<SearchItem> Fetch(SearchContext context, SearchProvider provider)
        {
            SearchText asked = SearchText.Read(context.searchQuery);
            if (asked.IsEmpty)
            {
                yield break;
            }
            var answer = new Answer();
            // The answer comes on a thread of its own: a search that is waited for would keep the main thread from it.
            using (EditorSession.AskAnywhere(ask => Asked(ask, asked), answer.End, error => answer.Fail(error.Message)))
            {
                while (!answer.IsEnded)
                {
                    yield return null;
                }
            }
            if (answer.Problem.Length > 0)
            {
                yield return provider.CreateItem(context, "problem", 0, answer.Problem, "assetdb", null, "");
            }
            for (int at = 0; at < answer.Found.Count; at++)
            {
                FoundAsset found = answer.Found[at];
                string description = found.Type.Length > 0 ? $"{found.Path}  ({found.Type})" : found.Path;
                yield return provider.CreateItem(context, found.Key, at, found.Name, description, null, found.Path);
            }
            if (answer.Note.Length > 0)
            {
                yield return provider.CreateItem(context, "note", answer.Found.Count, answer.Note, "assetdb", null, "");
            }
        }

        private static KeyValuePair<List<FoundAsset>, string> Asked(Question ask, SearchText asked)
        {
            List<FoundAsset> found = Ask(ask, asked, out string note);
            return new KeyValuePair<List<FoundAsset>, string>(found, note);
        }

        /// <summary>Return what the daemon finds; <paramref name="note"/> is said below it, <c>""</c> for nothing.</summary>
        private static List<FoundAsset> Ask(Question ask, SearchText asked, out string note)
        {
            note = "";
            if (asked.UsersOf.Length > 0)
            {
                UsagesAnswer answer = UsagesAnswer.Read(
                    ask.Call("usages", new JsonWriter().Text("query", asked.UsersOf)));
                note = answer.UnreadFiles > 0 ? UsagesAnswer.UnreadNote(answer.UnreadFiles) : "";
                return answer.Reason.Length == 0
                    ? FoundAsset.OfUsages(answer, asked.Types)
                    : throw new DaemonException($"{asked.UsersOf}: {answer.Reason}");
            }
            string pattern = asked.Pattern.Length > 0 ? asked.Pattern : "*";
            JsonValue result = ask.Call(
                "find", new JsonWriter().Text("pattern", pattern).Texts("types", asked.Types).Integer("limit", MostFound));
            long unread = result.Integer("unread_files", 0);
            note = unread > 0 ? $"{unread:N0} files could not be read, and may have more of these names" : "";
            return FoundAsset.OfFind(result);
        }

        private static string PathOf(SearchItem item) => item.data as string ?? "";

        private static Object Asset(SearchItem item) => AssetDatabase.LoadMainAssetAtPath(PathOf(item));

        /// <summary>An answer that one thread writes and another one waits for.</summary>
        private sealed class Answer
        {
            private volatile bool isEnded;

            public bool IsEnded => isEnded;

            public List<FoundAsset> Found { get; private set; } = new List<FoundAsset>();

            public string Note { get; private set; } = "";

            public string Problem { get; private set; } = "";

            public void End(KeyValuePair<List<FoundAsset>, string> found)
            {
                Found = found.Key;
                Note = found.Value;
                isEnded = true;
            }

            public void Fail(string problem)
            {
                Problem = problem;
                isEnded = true;
            }
        }
    }
}
